#include "spca/methods/joint/span_directions.h"

#include <cmath>

#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/core_search.h"

namespace spca {
namespace {

class NetDirections {
 public:
  NetDirections(Matrix net, std::vector<Index> cardinality)
      : net_(std::move(net)),
        cardinality_(std::move(cardinality)),
        chosen_(cardinality_.size(), 0) {}

  bool next(Matrix& directions) {
    if (done_) {
      return false;
    }
    directions = selected_columns(net_, chosen_);
    // The next tuple in lexicographic order. After position j - 1 is raised, the later columns
    // start at its point if their cardinality is equal.
    std::size_t j = chosen_.size();
    while (j > 0 && chosen_[j - 1] + 1 == net_.cols()) {
      --j;
    }
    done_ = j == 0;
    if (!done_) {
      ++chosen_[j - 1];
      for (std::size_t i = j; i < chosen_.size(); ++i) {
        chosen_[i] = cardinality_[i] == cardinality_[i - 1] ? chosen_[i - 1] : 0;
      }
    }
    return true;
  }

 private:
  Matrix net_;
  std::vector<Index> cardinality_;
  std::vector<Index> chosen_;
  bool done_ = false;
};

/// Returns m, the number of cells to an edge.
double cells_to_edge(Index d, double epsilon) {
  return std::max(1.0, std::ceil(2 * std::sqrt(static_cast<double>(d - 1)) / epsilon));
}

}  // namespace

Directions random_directions(const Problem& problem, Index rank, Index draws) {
  return [&problem, rank, draws, drawn = Index{0}](Matrix& directions) mutable {
    if (drawn == draws) {
      return false;
    }
    Random random = numbered_random(problem, "draw", drawn++);
    directions.resize(rank, problem.components);
    for (double& entry : directions.reshaped()) {
      entry = random.normal();
    }
    directions.colwise().normalize();
    return true;
  };
}

Directions net_directions(Matrix net, std::vector<Index> cardinality) {
  return [choices = NetDirections(std::move(net), std::move(cardinality))](
             Matrix& directions) mutable { return choices.next(directions); };
}

Matrix half_sphere_net(Index d, double epsilon) {
  const auto m = static_cast<Index>(cells_to_edge(d, epsilon));
  const auto face = static_cast<Index>(std::pow(m, d - 1));
  Matrix net(d, d * face);
  for (Index axis = 0; axis < d; ++axis) {
    for (Index cell = 0; cell < face; ++cell) {
      auto point = net.col(axis * face + cell);
      Index rest = cell;
      for (Index a = 0; a < d; ++a) {
        point[a] =
            a == axis ? 1 : (2 * static_cast<double>(rest % m) + 1) / static_cast<double>(m) - 1;
        rest /= a == axis ? 1 : m;
      }
      point.normalize();
    }
  }
  return net;
}

double net_points(Index d, double epsilon) {
  return static_cast<double>(d) * std::pow(cells_to_edge(d, epsilon), static_cast<double>(d - 1));
}

double net_choices(double points, const std::vector<Index>& cardinality) {
  double count = 1;
  double in_a_row = 0;
  for (std::size_t j = 0; j < cardinality.size(); ++j) {
    in_a_row = j > 0 && cardinality[j] == cardinality[j - 1] ? in_a_row + 1 : 1;
    count *= (points + in_a_row - 1) / in_a_row;
  }
  return count;
}

}  // namespace spca
