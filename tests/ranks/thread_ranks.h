#pragma once

/// Ranks that are threads of this process.

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "spca/ranks/rank_group.h"

namespace spca {

/// The state that the ranks share. All ranks meet in each call of exchange(), gather_all() and
/// broadcast().
class ThreadMeeting {
 public:
  explicit ThreadMeeting(int size)
      : size_(size), barrier_(size), places_(static_cast<std::size_t>(size)) {}
  int size() const { return size_; }
  const void*& place(int rank) { return places_[static_cast<std::size_t>(rank)]; }
  void wait() { barrier_.arrive_and_wait(); }

 private:
  int size_;
  std::barrier<> barrier_;
  std::vector<const void*> places_;
};

class ThreadRank final : public RankGroup {
 public:
  ThreadRank(ThreadMeeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return meeting_.size(); }

  void exchange(const double* out, const std::vector<int>& out_counts, double* in,
                const std::vector<int>& in_counts) override {
    struct Letter {
      const double* numbers;
      const std::vector<int>* counts;
    };
    const Letter letter{out, &out_counts};
    meeting_.place(rank_) = &letter;
    meeting_.wait();
    for (int from = 0; from < size(); ++from) {
      const auto& other = *static_cast<const Letter*>(meeting_.place(from));
      const double* numbers = other.numbers;
      for (int to = 0; to < rank_; ++to) {
        numbers += (*other.counts)[static_cast<std::size_t>(to)];
      }
      const int count = in_counts[static_cast<std::size_t>(from)];
      in = std::copy(numbers, numbers + count, in);
    }
    meeting_.wait();
  }

  void gather_all(const double* own, double* all, const std::vector<int>& counts) override {
    meeting_.place(rank_) = own;
    meeting_.wait();
    for (int from = 0; from < size(); ++from) {
      const auto* const numbers = static_cast<const double*>(meeting_.place(from));
      all = std::copy(numbers, numbers + counts[static_cast<std::size_t>(from)], all);
    }
    meeting_.wait();
  }

  void broadcast(void* bytes, std::size_t size, int root) override {
    meeting_.place(rank_) = bytes;
    meeting_.wait();
    if (rank_ != root) {
      std::memcpy(bytes, meeting_.place(root), size);
    }
    meeting_.wait();
  }

  // A message concerns two ranks only: the others do not wait for it.
  void send(int to, const void* bytes, std::size_t size) override {
    Box& box = box_of(rank_, to);
    const auto* const begin = static_cast<const char*>(bytes);
    const std::lock_guard lock(box.mutex);
    box.letters.emplace_back(begin, begin + size);
    box.has_letter.notify_all();
  }
  void receive(int from, void* bytes, std::size_t size) override {
    Box& box = box_of(from, rank_);
    std::unique_lock lock(box.mutex);
    box.has_letter.wait(lock, [&] { return !box.letters.empty(); });
    const std::vector<char> letter = std::move(box.letters.front());
    box.letters.pop_front();
    if (letter.size() != size) {
      std::terminate();
    }
    std::copy(letter.begin(), letter.end(), static_cast<char*>(bytes));
  }

  struct Box {
    std::mutex mutex;
    std::condition_variable has_letter;
    std::deque<std::vector<char>> letters;
  };
  using Boxes = std::map<std::pair<int, int>, Box>;
  Boxes* boxes = nullptr;

 private:
  Box& box_of(int from, int to) { return boxes->at({from, to}); }

  ThreadMeeting& meeting_;
  int rank_;
};

/// Calls work(group) in `size` ranks. Work must not throw in one rank alone: the others would wait
/// forever.
inline void in_ranks(int size, const std::function<void(std::shared_ptr<RankGroup>)>& work) {
  ThreadMeeting meeting(size);
  ThreadRank::Boxes boxes;
  for (int from = 0; from < size; ++from) {
    for (int to = 0; to < size; ++to) {
      boxes[{from, to}];
    }
  }
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        const auto group = std::make_shared<ThreadRank>(meeting, rank);
        group->boxes = &boxes;
        work(group);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace spca
