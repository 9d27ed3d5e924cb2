# mspca() of msPCA: Rscript mspca.R GRAM ANSWER CARDINALITIES SEED R_SEED CONSTRAINT ROUNDS FIRST_RESTARTS
#                   RESTARTS FEASIBILITY STALLING DRAWS DRAWS_SEED
# If R_SEED is not negative, it replaces SEED. If DRAWS is not none, it has the signs for
# normal_draws.R, and mspca() gets 500 draws of a normal with the given S, as data of type "X".

arguments <- commandArgs(TRUE)
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1]))
source(file.path(here, "npy.R"))
source(file.path(here, "normal_draws.R"))
suppressPackageStartupMessages(library(msPCA))

# Reorders the components, which the package sorts by variance: the largest cardinality gets the
# component with the most nonzeros, and so on.
in_given_order <- function(loadings, cardinality) {
  counts <- colSums(loadings != 0)
  loadings[, order(counts, decreasing = TRUE), drop = FALSE][, rank(-cardinality, ties.method = "first"), drop = FALSE]
}

or_say_why({
  s <- read_npy(arguments[1])
  cardinality <- as.numeric(strsplit(arguments[3], ",")[[1]])
  data <- if (arguments[12] == "none") s else normal_draws(s, 500, as.integer(arguments[13]), arguments[12])
  seeds <- as.integer(arguments[4:5])
  set.seed(if (seeds[2] >= 0) seeds[2] else seeds[1])
  fit <- mspca(data, r = length(cardinality), ks = cardinality, type = if (arguments[12] == "none") "Sigma" else "X",
               feasibilityConstraintType = if (arguments[6] == "uncorrelated") 1 else 0, verbose = FALSE,
               maxIter = as.integer(arguments[7]), maxRestartTPM = as.integer(arguments[8]),
               minRestartTPM = as.integer(arguments[9]), feasibilityTolerance = as.numeric(arguments[10]),
               stallingTolerance = as.numeric(arguments[11]))
  write_loadings(in_given_order(unname(fit$x_best), cardinality), arguments[2])
})
