# spca() of elasticnet: Rscript elasticnet.R GRAM ANSWER COMPONENTS CARDINALITIES LAMBDA ITERATIONS TOLERANCE

arguments <- commandArgs(TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE)[1])), "npy.R"))
suppressPackageStartupMessages(library(elasticnet))
cardinality <- as.numeric(strsplit(arguments[4], ",")[[1]])
or_say_why({
  fit <- spca(read_npy(arguments[1]), as.integer(arguments[3]), cardinality, type = "Gram", sparse = "varnum",
              lambda = as.numeric(arguments[5]), max.iter = as.integer(arguments[6]),
              eps.conv = as.numeric(arguments[7]))
  write_loadings(fit$loadings, arguments[2])
})
