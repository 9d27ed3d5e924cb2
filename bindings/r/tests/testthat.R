library(testthat)
library(spcabench)

test_check("spcabench")
