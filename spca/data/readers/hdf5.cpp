/// Starts a process that reads HDF5 (hdf5_process.cpp), and builds a matrix from its messages. A
/// damaged file can make libhdf5 1.10 read outside its memory (fuzz/corpus/hdf5/library_crash.h5).
/// A crash of that process is only an error in this process.

#include "spca/data/readers/hdf5.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "spca/base/error.h"
#include "spca/base/input_file.h"
#include "spca/data/content/compressed_arrays.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/naming.h"
#include "spca/data/readers/hdf5_process.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// At most this number of seconds may pass without a message. The process sends one every few
/// megabytes, so a longer silence means that it hangs.
constexpr int kSilenceSeconds = 120;
constexpr int kMillisecond = 1000;
constexpr const char* kAcceptedHdf5 = "accepted: a file that h5dump reads";

/// The child process and the pipe from it. The process ends with this object.
class Hdf5Process {
 public:
  Hdf5Process(const std::filesystem::path& path, const std::string& matrix, const RowShare& share) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
      throw InputError(fmt::format("no pipe can be made ({})", std::strerror(errno)));
    }
    pipe_ = FileDescriptor(ends[0]);
    FileDescriptor other_end(ends[1]);
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) {
      throw InputError(fmt::format("no process can be started ({})", std::strerror(errno)));
    }
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() == parent) {
        send_hdf5(path, matrix, share, other_end.get());
      }
      ::_exit(0);
    }
  }
  ~Hdf5Process() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      wait();
    }
  }
  Hdf5Process(const Hdf5Process&) = delete;
  Hdf5Process& operator=(const Hdf5Process&) = delete;

  Hdf5Message next() {
    Hdf5MessageHeader header;
    receive(reinterpret_cast<char*>(&header), sizeof header);
    Hdf5Message message{.kind = header.kind, .bytes = {}};
    if (header.bytes > kLargestHdf5Message) {
      fail("broke off");
    }
    message.bytes.resize(header.bytes);
    receive(message.bytes.data(), message.bytes.size());
    return message;
  }

 private:
  void receive(char* out, std::size_t size) {
    while (size > 0) {
      struct pollfd ready {
        .fd = pipe_.get(), .events = POLLIN, .revents = 0
      };
      const int count = ::poll(&ready, 1, kSilenceSeconds * kMillisecond);
      if (count == 0) {
        fail("hangs");
      }
      const ssize_t bytes = count < 0 ? -1 : ::read(pipe_.get(), out, size);
      if (bytes == 0) {
        fail("broke off");
      }
      if (bytes < 0 && errno != EINTR) {
        fail("cannot be heard");
      }
      if (bytes > 0) {
        out += bytes;
        size -= static_cast<std::size_t>(bytes);
      }
    }
  }

  [[noreturn]] void fail(const char* what) {
    throw InputError(fmt::format("the library that reads HDF5 {} on it; {}", what, kAcceptedHdf5));
  }

  void wait() {
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  FileDescriptor pipe_;
  pid_t process_ = -1;
};

template <class Item>
void append(const Hdf5Message& message, std::vector<Item>& items) {
  const std::size_t count = message.bytes.size() / sizeof(Item);
  const std::size_t old = items.size();
  items.resize(old + count);
  std::memcpy(items.data() + old, message.bytes.data(), count * sizeof(Item));
}

/// Stores numbers that arrive row by row, or column by column, in a matrix.
class DenseNumbers {
 public:
  void resize(Index n, Index p, bool is_by_rows) {
    matrix_.resize(n, p);
    is_by_rows_ = is_by_rows;
  }

  void append(const Hdf5Message& message) {
    const std::size_t count = message.bytes.size() / sizeof(double);
    for (std::size_t i = 0; i < count && next_ < matrix_.size(); ++i, ++next_) {
      double value = 0;
      std::memcpy(&value, message.bytes.data() + i * sizeof value, sizeof value);
      if (is_by_rows_) {
        matrix_(next_ / matrix_.cols(), next_ % matrix_.cols()) = value;
      } else {
        matrix_.data()[next_] = value;
      }
    }
  }
  bool is_complete() const { return next_ == matrix_.size(); }
  Matrix release() { return std::move(matrix_); }

 private:
  Matrix matrix_;
  bool is_by_rows_ = true;
  Index next_ = 0;
};

bool is_dense(Hdf5Layout layout) {
  return layout == Hdf5Layout::kDense || layout == Hdf5Layout::kDenseColumns;
}

/// Drops the names if their number is not `count`, with a note.
void check_names(std::vector<std::string>& names, std::int64_t count, const char* what,
                 FileContent& content) {
  if (!names.empty() && std::ssize(names) != count) {
    content.notes.push_back(fmt::format("has {} names for {} {}, which are left without names",
                                        names.size(), count, what));
    names.clear();
  }
}

/// Builds the matrix, or the rows of `share`, from the messages. Returns nothing if the matrix is
/// stored by columns and not all rows are wanted.
std::optional<RowsOfFile> receive_matrix(Hdf5Process& process, const RowShare& share) {
  RowsOfFile rows;
  FileContent& content = rows.content;
  Hdf5Shape shape;
  CompressedArrays arrays;
  DenseNumbers dense;
  for (;;) {
    const Hdf5Message message = process.next();
    switch (message.kind) {
      case Hdf5MessageKind::kError:
        throw InputError(message.bytes);
      case Hdf5MessageKind::kShape:
        if (message.bytes.size() != sizeof shape) {
          throw InputError(fmt::format("cannot be read; {}", kAcceptedHdf5));
        }
        std::memcpy(&shape, message.bytes.data(), sizeof shape);
        if (shape.n < 1 || shape.p < 1) {
          throw InputError(fmt::format("cannot be read; {}", kAcceptedHdf5));
        }
        rows.samples = shape.n;
        rows.held = share.of(shape.n);
        if (!share.is_all() &&
            (shape.layout == Hdf5Layout::kColumns || shape.layout == Hdf5Layout::kDenseColumns)) {
          return std::nullopt;
        }
        if (is_dense(shape.layout)) {
          dense.resize(rows.held.count(), shape.p, shape.layout == Hdf5Layout::kDense);
        }
        break;
      case Hdf5MessageKind::kName:
        content.variable_names.push_back(message.bytes);
        break;
      case Hdf5MessageKind::kSampleName:
        content.sample_names.push_back(message.bytes);
        break;
      case Hdf5MessageKind::kNote:
        content.notes.push_back(message.bytes);
        break;
      case Hdf5MessageKind::kStarts:
        append(message, arrays.starts);
        break;
      case Hdf5MessageKind::kIndices:
        append(message, arrays.indices);
        break;
      case Hdf5MessageKind::kValues:
        if (is_dense(shape.layout)) {
          dense.append(message);
        } else {
          append(message, arrays.values);
        }
        break;
      case Hdf5MessageKind::kEnd:
        check_names(content.variable_names, shape.p, "variables", content);
        check_names(content.sample_names, shape.n, "samples", content);
        if (is_dense(shape.layout)) {
          if (!dense.is_complete() || shape.n < 1 || shape.p < 1) {
            throw InputError(fmt::format("cannot be read; {}", kAcceptedHdf5));
          }
          content.dense = dense.release();
          return rows;
        }
        arrays.by_rows = shape.layout == Hdf5Layout::kRows;
        arrays.n = shape.n;
        arrays.p = shape.p;
        content.sparse = rows.held.count() < shape.n ? sparse_rows_of(std::move(arrays), rows.held)
                                                     : sparse_rows_of(std::move(arrays));
        return rows;
      default:
        throw InputError(fmt::format("cannot be read; {}", kAcceptedHdf5));
    }
  }
}

}  // namespace

std::optional<RowsOfFile> read_hdf5_rows(const std::filesystem::path& path,
                                         const std::string& matrix, const RowShare& share) {
  const std::string name = matrix.empty() ? path.string() : path.string() + ":" + matrix;
  const InputFile input(path);
  return naming(name, [&] {
    Hdf5Process process(input.path(), matrix, share);
    return receive_matrix(process, share);
  });
}

FileContent read_hdf5(const std::filesystem::path& path, const std::string& matrix) {
  return std::move(read_hdf5_rows(path, matrix, {})->content);
}

}  // namespace spca
