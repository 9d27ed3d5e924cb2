on_a_device <- function(code) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  force(code)
}

test_that("a biplot is drawn without a warning, with and without samples and names", {
  on_a_device({
    for (fit in list(
      spca_solve(mtcars, c(4, 3), scale = TRUE),
      spca_solve(mtcars, c(7, 6), scale = TRUE, deflation = "schur"),
      spca_solve("pitprops", c(6, 5)),
      spca_solve(unname(as.matrix(mtcars)), c(4, 3), scale = TRUE, retx = FALSE),
      spca_solve(mtcars, 3, ncomp = 3, scale = TRUE)
    )) {
      expect_warning(drawn <- biplot(fit), NA)
      expect_identical(drawn, fit)
      expect_warning(biplot(fit, choices = 2:1, most = 2, main = "Two"), NA)
    }
    expect_error(biplot(spca_solve("pitprops", 5)), "^x: has 1 component; accepted")
    expect_error(biplot(fit, choices = c(1, 4)), "^choices: ")
  })
})

test_that("a biplot takes the arguments of prcomp's, and refuses others", {
  fit <- spca_solve(mtcars, c(4, 3), scale = TRUE)
  texts <- NULL
  has_arrows <- NULL
  drawn <- function(...) {
    expect_warning(biplot(fit, ...), NA)
    calls <- lapply(grDevices::recordPlot()[[1]], `[[`, 2)
    kinds <- vapply(calls, function(call) call[[1]]$name, "")
    texts <<- unlist(lapply(calls[kinds == "C_text"], `[[`, 3))
    has_arrows <<- "C_arrows" %in% kinds
    par("usr")
  }
  on_a_device({
    grDevices::dev.control("enable")
    plain <- drawn()
    expect_true(has_arrows)
    expect_false("Fiat 128" %in% texts)
    expect_identical(drawn(scale = 0, pc.biplot = FALSE, expand = 1), plain)
    drawn(xlabs = rownames(mtcars))
    expect_true("Fiat 128" %in% texts)
    drawn(var.axes = FALSE, ylabs = toupper(names(mtcars)), cex = c(0.5, 0.8))
    expect_false(has_arrows)
    expect_true(all(texts %in% toupper(names(mtcars))) && length(texts) > 0)
    # Scores over lambda are those of prcomp's biplot.
    lambda <- fit$sdev * sqrt(nrow(mtcars))
    scores <- t(t(fit$x) / lambda)
    scaled <- drawn(choices = 1:2, scale = 1)
    expect_true(all(scaled[c(1, 3)] < apply(scores, 2, min)))
    expect_true(all(scaled[c(2, 4)] < 2 * apply(scores, 2, max)))
    expect_equal(drawn(scale = 1, pc.biplot = TRUE), scaled * sqrt(nrow(mtcars)), tolerance = 0.05)
    expect_equal(drawn(xlim = c(-9, 9), ylim = c(-8, 8), xaxs = "i", yaxs = "i"), c(-9, 9, -8, 8))
    expect_warning(biplot(fit, las = 1, cex.axis = 0.7, sub = "cars", asp = 1), NA)
    expect_error(biplot(fit, no_such = 1), "^biplot: found .*no_such.*; accepted: the arguments of biplot.prcomp")
    expect_error(biplot(fit, scale = 2), "^scale: found .*; accepted: a number from 0 to 1")
    expect_error(biplot(fit, xlabs = "a"), "^xlabs: found .*; accepted: NULL or 32 labels")
    expect_error(biplot(fit, expand = 0), "^expand: ")
    expect_error(biplot(fit, var.axes = NA), "^var.axes: ")
    fit$sdev[2] <- 0
    expect_error(biplot(fit, scale = 1), "^scale: found .*; accepted: 0, because a component")
  })
})

test_that("names of a biplot overlap no other", {
  set.seed(1)
  for (count in c(5, 20)) {
    tips <- cbind(rnorm(count, sd = c(1, 0.01)), rnorm(count, sd = c(0.01, 1)))
    on_a_device({
      plot(0, 0, xlim = c(-4, 4), ylim = c(-4, 4))
      boxes <- spcabench:::draw_names(tips, paste("variable", seq_len(count)), 0.8, "black")
    })
    expect_gt(nrow(boxes), 0.8 * count)
    for (i in seq_len(nrow(boxes))) {
      for (j in seq_len(i - 1)) {
        expect_true(boxes[i, 3] <= boxes[j, 1] || boxes[j, 3] <= boxes[i, 1] ||
                      boxes[i, 4] <= boxes[j, 2] || boxes[j, 4] <= boxes[i, 2])
      }
    }
  }
})

test_that("long names are shortened in the middle, and have room", {
  long <- paste0("a long name of a variable with the number ", 1:11)
  expect_identical(spcabench:::short_name(c("short", long[3])), c("short", "a long name o...the number 3"))
  fit <- spca_solve(setNames(mtcars, long), 3, scale = TRUE)
  on_a_device({
    expect_warning(plot(fit), NA)
    biplot(spca_solve(setNames(mtcars, long), c(3, 3), scale = TRUE))
  })
})

test_that("the total of a summary is that of prcomp", {
  for (scale in c(TRUE, FALSE)) {
    total <- sum(prcomp(mtcars, scale. = scale)$sdev^2)
    for (divisor in c("n", "n-1")) {
      fit <- suppressWarnings(spca_solve(mtcars, c(4, 3), scale = scale, divisor = divisor))
      expect_equal(summary(fit)$total_variance, total)
      expect_equal(summary(fit)$importance["Cumulative proportion", "PC2"],
                   sum(fit$sdev^2) / fit$total_variance)
    }
  }
  fit <- spca_solve(mtcars, ncomp = 2, solver = "pca", scale = TRUE)
  expect_equal(unname(summary(fit)$importance["Added variance", ]),
               prcomp(mtcars, scale. = TRUE)$sdev[1:2]^2)
  named <- spca_solve("pitprops", 5)
  expect_equal(summary(named)$total_variance, named$total_variance)
})

test_that("what is odd about a request is noted", {
  fit <- spca_solve("pitprops", 8)
  expect_match(fit$notes, "k = 8 is more than half of the 13 variables")
  expect_output(print(fit), "note: k = 8")
  expect_output(print(summary(fit)), "note: k = 8")
  expect_length(spca_solve("pitprops", 5)$notes, 0)
  expect_match(spca_solve("pitprops", c(1, 1))$notes, "each component is one variable")
  expect_warning(spca_solve(mtcars, 3), "\"disp\" and \"hp\" have 99.* one scale")
  expect_warning(spca_solve(mtcars, 3, scale = TRUE), NA)
})

test_that("a suggestion is drawn, also if no component stands out from chance", {
  set.seed(3)
  on_a_device({
    for (found in list(spca_suggest(mtcars, most = 3, permutations = 19, scale = TRUE),
                       spca_suggest(mtcars, most = 3, permutations = 0, scale = TRUE),
                       spca_suggest(matrix(rnorm(400), 40), most = 3))) {
      expect_warning(expect_identical(plot(found), found), NA)
    }
  })
})

test_that("autoplot needs ggplot2 alone", {
  fit <- spca_solve(mtcars, c(7, 6), scale = TRUE, deflation = "schur")
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    expect_error(spcabench:::autoplot.spcabench(fit), "needs the package ggplot2")
    skip("ggplot2 is missing")
  }
  on_a_device({
    expect_warning(print(ggplot2::autoplot(fit)), NA)
    expect_warning(print(ggplot2::autoplot(spca_path("pitprops", 1:4))), NA)
    same <- as.matrix(mtcars)
    colnames(same)[1:4] <- "same"
    expect_warning(print(ggplot2::autoplot(suppressWarnings(spca_solve(same, 4, scale = TRUE)))), NA)
  })
})
