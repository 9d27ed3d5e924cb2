# Variable projection in base R, written for this project after the paper of the R package sparsepca, which is not used.
# X is S, taken as if it were data, because the benchmark of msPCA calls that package in this way.
#
# Rscript variable_projection.R GRAM ANSWER COMPONENTS ALPHA BETA SCALED STEPS TOLERANCE
#
# min 1/2 ||X - X B A'||_F^2 + alpha ||B||_1 + beta/2 ||B||_F^2  s.t. A'A = I
#
# The means of the columns of X are subtracted; if SCALED is true, the columns are divided by their
# standard deviations, too. ALPHA and BETA are relative to the square of the largest singular value
# of X. B begins with the right singular vectors. In each step A becomes the best for B, and B takes
# one proximal step. Ends when the objective falls by less than the share TOLERANCE, at most after
# STEPS steps. The answer has the columns of B at unit length.

arguments <- commandArgs(TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])), "npy.R"))

projected <- function(x, components, alpha, beta, steps, tolerance) {
  spectrum <- svd(x)
  alpha <- alpha * spectrum$d[1]^2
  beta <- beta * spectrum$d[1]^2
  step_size <- 1 / (spectrum$d[1]^2 + beta)
  gram <- spectrum$v %*% (spectrum$d^2 * t(spectrum$v))
  b <- spectrum$v[, seq_len(components), drop = FALSE]
  before <- Inf
  for (step in seq_len(steps)) {
    best <- svd(gram %*% b)
    a <- best$u %*% t(best$v)
    b <- b + step_size * (gram %*% (a - b) - beta * b)
    b <- sign(b) * pmax(abs(b) - step_size * alpha, 0)
    residual <- x - x %*% b %*% t(a)
    now <- sum(residual^2) / 2 + alpha * sum(abs(b)) + beta / 2 * sum(b^2)
    if (is.finite(before) && before - now < tolerance * before) {
      break
    }
    before <- now
  }
  b
}

or_say_why({
  s <- read_npy(arguments[1])
  b <- projected(scale(s, scale = arguments[6] == "true"), as.integer(arguments[3]), as.numeric(arguments[4]),
                 as.numeric(arguments[5]), as.integer(arguments[7]), as.numeric(arguments[8]))
  lengths <- sqrt(colSums(b^2))
  if (any(lengths == 0)) {
    stop("alpha ", arguments[4], " leaves a component empty")
  }
  write_loadings(sweep(b, 2, lengths, "/"), arguments[2])
})
