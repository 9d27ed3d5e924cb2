# Components by rank-one fits of the data, one after the other, in base R, written for this project after the
# descriptions of two R packages, neither of which is used:
# Rscript rank_one.R MATRIX ANSWER CARDINALITIES RULE BOUND STEPS TOLERANCE DRAWS DRAWS_SEED
#
# bound  SPC(orth = TRUE) of PMA: u = X v without its part in the earlier scores, v = soft(X'u) with
#        a threshold that makes ||v||_1 at most BOUND; from the right singular vectors of X. Of the
#        cardinalities only their number is used
# keep   spca() of mixOmics: v = soft(X'u) with the (k+1)-th largest |X'u| as threshold; from the
#        leading singular vectors of X, whose columns are scaled, without the earlier scores; until
#        the squared change of v is below TOLERANCE
#
# Both compute the threshold anew at each step, and take at most STEPS steps. If DRAWS is not none,
# it has the signs for normal_draws.R, and X is 500 draws of a normal with S.

arguments <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
source(file.path(here, "npy.R"))
source(file.path(here, "normal_draws.R"))

unit <- function(x) x / sqrt(sum(x^2))
soft <- function(x, threshold) sign(x) * pmax(abs(x) - threshold, 0)

# Bisects the threshold as PMA does.
soft_to_bound <- function(w, bound) {
  if (sum(abs(unit(w))) <= bound) {
    return(w)
  }
  low <- 0
  high <- max(abs(w)) - 1e-5
  for (step in 1:150) {
    middle <- (low + high) / 2
    if (sum(abs(unit(soft(w, middle)))) < bound) high <- middle else low <- middle
    if (high - low < 1e-6) {
      break
    }
  }
  soft(w, (low + high) / 2)
}

by_bound <- function(x, components, bound, steps) {
  start <- svd(x, nu = 0, nv = components)$v
  scores <- matrix(0, nrow(x), 0)
  for (j in seq_len(components)) {
    v <- start[, j]
    for (step in seq_len(steps)) {
      previous <- v
      u <- drop(x %*% v)
      u <- unit(u - drop(scores %*% crossprod(scores, u)))
      v <- unit(soft_to_bound(drop(crossprod(x, u)), bound))
      if (sum(abs(v - previous)) <= 1e-7) {
        break
      }
    }
    start[, j] <- v
    scores <- cbind(scores, u)
  }
  start
}

by_count <- function(x, cardinality, steps, tolerance) {
  x <- scale(x)
  sapply(cardinality, function(k) {
    first <- svd(x, nu = 1, nv = 1)
    u <- first$u[, 1]
    v <- first$v[, 1]
    for (step in seq_len(steps)) {
      w <- drop(crossprod(x, u))
      if (k < length(w)) {
        w <- soft(w, sort(abs(w), decreasing = TRUE)[k + 1])
      }
      previous <- v
      v <- unit(w)
      u <- unit(drop(x %*% v))
      if (sum((v - previous)^2) < tolerance) {
        break
      }
    }
    score <- drop(x %*% v)
    x <<- x - outer(score, drop(crossprod(x, score))) / sum(score^2)
    v
  })
}

or_say_why({
  b <- read_npy(arguments[1])
  cardinality <- as.integer(strsplit(arguments[3], ",")[[1]])
  x <- if (arguments[8] == "none") {
    b * sqrt(nrow(b) - 1)
  } else {
    normal_draws(crossprod(b), 500, as.integer(arguments[9]), arguments[8])
  }
  x <- x - mean(x)
  steps <- as.integer(arguments[6])
  loadings <- if (arguments[4] == "bound") {
    by_bound(x, length(cardinality), as.numeric(arguments[5]), steps)
  } else {
    by_count(x, cardinality, steps, as.numeric(arguments[7]))
  }
  write_loadings(loadings, arguments[2])
})
