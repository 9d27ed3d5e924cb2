#pragma once

/// The directions C, d x r with unit columns, from which a search by matchings finds supports:
/// drawn from the sphere, or every choice of r points of a net.
///
/// Source  Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///         2015

#include <functional>
#include <vector>

#include "spca/solving/problem.h"

namespace spca {

/// Writes the next C. Returns false if there are no more.
using Directions = std::function<bool(Matrix& directions)>;

/// Draws C `draws` times. Each draw depends only on the problem's seed and on its own number.
/// `problem` must outlive the result.
Directions random_directions(const Problem& problem, Index rank, Index draws);

/// Generates every choice of r columns of `net`; among neighbouring components of equal cardinality
/// only those in ascending order, because (c, c') and (c', c) give the same supports.
Directions net_directions(Matrix net, std::vector<Index> cardinality);

/// Returns an epsilon/2-net of the unit half-sphere in R^d, d x N. Its points are the middles of
/// the cells of a grid on d faces of the cube [-1, 1]^d, m to an edge, made unit. A point of a face
/// is within sqrt(d - 1) / m of such a middle. Bringing both to the sphere, which lies inside the
/// cube, brings them no further apart.
Matrix half_sphere_net(Index d, double epsilon);
/// Returns N, as a double, because it may exceed the range of Index.
double net_points(Index d, double epsilon);
/// Returns the number of C that net_directions() generates for a net of this number of points: of m
/// neighbouring components of equal cardinality only the C(points + m - 1, m) ascending choices
/// count.
double net_choices(double points, const std::vector<Index>& cardinality);

}  // namespace spca
