# Asks the R package one question of the hunt (tests/properties/elsewhere.cpp) and prints the answer
# as JSON.
suppressPackageStartupMessages(library(spcabench))
words <- commandArgs(trailingOnly = TRUE)
rows <- as.integer(words[2])
columns <- as.integer(words[3])
kind <- words[4]
x <- matrix(readBin(words[1], "double", rows * columns), rows, columns)
if (kind == "sparse") {
  x <- as(as(as(Matrix::Matrix(x, sparse = TRUE), "dMatrix"), "generalMatrix"), "CsparseMatrix")
}
fit <- suppressWarnings(spca_solve(
  x,
  k = if (words[8] != "-") as.integer(strsplit(words[8], ",")[[1]]),
  ncomp = as.integer(words[9]), solver = words[7], covariance = kind == "covariance",
  center = words[5] == "yes", divisor = words[6], deflation = if (words[10] != "-") words[10],
  seed = as.numeric(words[11]), threads = as.integer(words[12]), time_limit = as.numeric(words[13]),
  retx = FALSE
))
list_of <- function(numbers) paste0("[", paste(sprintf("%.17g", numbers), collapse = ","), "]")
found <- vapply(seq_along(fit$supports), function(j) {
  indices <- as.integer(fit$supports[[j]])
  sprintf(
    '{"indices":%s,"values":%s,"explained_variance":%.17g}', list_of(indices - 1L),
    list_of(fit$rotation[indices, j]), fit$explained_variance[j]
  )
}, "")
cat(sprintf(
  '{"status":"%s","message":"","upper_bound":%s,"components":[%s]}\n', fit$status,
  if (is.na(fit$upper_bound)) "null" else sprintf("%.17g", fit$upper_bound), paste(found, collapse = ",")
))
