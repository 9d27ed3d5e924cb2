# sPCA-rSVD (Shen, Huang 2008) for one component, in base R: Rscript rsvd.R MATRIX ANSWER K TOLERANCE ITERATIONS
# MATRIX has the data X with S = X'X. From the leading right singular vector, u = Xv/||Xv|| and v =
# soft(X'u) at unit length, in turn. The threshold is the (k+1)-th largest |X'u|, so that k loadings
# stay (the paper's degree of sparsity is p - k). Ends when no loading changes by more than
# TOLERANCE, at most after ITERATIONS steps.

arguments <- commandArgs(TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])), "npy.R"))
data <- read_npy(arguments[1])
k <- as.integer(arguments[3])
tolerance <- as.numeric(arguments[4])
iterations <- as.integer(arguments[5])

unit <- function(x) x / sqrt(sum(x^2))

soft_to_cardinality <- function(w, k) {
  if (k >= length(w)) {
    return(w)
  }
  threshold <- sort(abs(w), decreasing = TRUE)[k + 1]
  sign(w) * pmax(abs(w) - threshold, 0)
}

leading <- function(data, k) {
  v <- svd(data, nu = 0, nv = 1)$v[, 1]
  for (step in seq_len(iterations)) {
    w <- soft_to_cardinality(drop(crossprod(data, unit(drop(data %*% v)))), k)
    if (all(w == 0)) {
      stop("the largest loadings are tied: no threshold leaves ", k)
    }
    previous <- v
    v <- unit(w)
    if (max(abs(v - previous)) <= tolerance) {
      break
    }
  }
  matrix(v)
}

or_say_why(write_loadings(leading(data, k), arguments[2]))
