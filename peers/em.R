# Components one after the other by truncated power steps from random starts, in base R, written for this project after
# the description of nsprcomp() of the R package nsprcomp, which is not used:
# Rscript em.R GRAM ANSWER CARDINALITIES SEED SCALED STARTS STEPS TOLERANCE DRAWS DRAWS_SEED
#
# A step takes the k largest entries of S v, at unit length, as the next v. A start ends when
# sqrt(v'Sv) grows by less than the share TOLERANCE, or after STEPS steps; the best of STARTS starts
# is kept. Then S is deflated by v, made orthonormal to the components before. If SCALED is true, S
# is first scaled to a diagonal of ones (scale. = TRUE). If DRAWS is not none, it has the signs for
# normal_draws.R, and S is replaced by the covariance of 500 draws.

arguments <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
source(file.path(here, "npy.R"))
source(file.path(here, "normal_draws.R"))

unit <- function(x) x / sqrt(sum(x^2))
truncated <- function(w, k) unit(replace(w, order(-abs(w))[-seq_len(k)], 0))

ascent <- function(s, k, steps, tolerance) {
  v <- truncated(rnorm(nrow(s)), k)
  before <- 0
  for (step in seq_len(steps)) {
    product <- drop(s %*% v)
    now <- sqrt(sum(v * product))
    if (now - before < tolerance * now) {
      break
    }
    before <- now
    v <- truncated(product, k)
  }
  list(loadings = v, value = sum(v * (s %*% v)))
}

or_say_why({
  s <- read_npy(arguments[1])
  if (arguments[9] != "none") {
    s <- cov(normal_draws(s, 500, as.integer(arguments[10]), arguments[9]))
  }
  if (arguments[5] == "true") {
    s <- cov2cor(s)
  }
  set.seed(as.integer(arguments[4]))
  basis <- matrix(0, nrow(s), 0)
  loadings <- sapply(as.integer(strsplit(arguments[3], ",")[[1]]), function(k) {
    found <- lapply(seq_len(as.integer(arguments[6])), function(start) {
      ascent(s, k, as.integer(arguments[7]), as.numeric(arguments[8]))
    })
    v <- found[[which.max(sapply(found, function(one) one$value))]]$loadings
    q <- unit(v - drop(basis %*% crossprod(basis, v)))
    basis <<- cbind(basis, q)
    s <<- s - outer(q, drop(q %*% s))
    s <<- s - outer(drop(s %*% q), q)
    v
  })
  write_loadings(loadings, arguments[2])
})
