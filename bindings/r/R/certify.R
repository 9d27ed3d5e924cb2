certify <- function(object, x, ...) UseMethod("certify")

certify.spcabench <- function(object, x, ..., k = object$k[seq_len(ncol(object$rotation))]) {
  if (missing(x)) {
    if (is.null(object$dataset)) {
      stop("x: missing; accepted: the data that were solved", call. = FALSE)
    }
    x <- object$dataset
  }
  found <- ncol(object$rotation)
  if (isTRUE(found < object$ncomp)) {  # fits of older versions have no ncomp
    stop("object: the answer has ", found, " of ", object$ncomp, " components; accepted: ",
         "a complete answer, or its loadings (rotation)", call. = FALSE)
  }
  if (!is.character(x)) {
    if (NCOL(x) != object$p) {
      stop("x: found ", NCOL(x), " variables; accepted: the ", object$p, " of the fit",
           call. = FALSE)
    }
    x <- columns_of_fit(object, x, "x", object$covariance)
  }
  certify.default(object$rotation, x, covariance = object$covariance, center = object$centered,
                  scale = object$scale, divisor = object$divisor, ..., k = k)
}

certify.default <- function(object, x, covariance = FALSE, center = TRUE, scale = FALSE,
                            time_limit = 10, ..., divisor = "n", missing = "error", seed = 1, threads = 1,
                            k = NULL) {
  unknown <- list(...)
  if (length(unknown) > 0L) {
    stop("certify: found an unknown argument ", names(unknown)[1L],
         "; accepted: covariance, center, scale, divisor, missing, time_limit, seed, threads, k", call. = FALSE)
  }
  if (missing(x)) {
    stop("x: missing; accepted: ", accepted_data, call. = FALSE)
  }
  words <- list(seed = seed_number(seed), threads = thread_count(threads),
                seconds = seconds("time_limit", time_limit), k = cardinality(k))
  data <- read_data(x, covariance, center, scale, divisor, missing)
  loadings <- unit_columns(object, data$p)
  raw <- .Call(C_certify, data$pointer, loadings, words)
  if (inherits(raw, "spcabench_refusal")) {
    raw[1L] <- sub("^cardinality:", "k:", raw)  # the argument's name here
  }
  raw <- checked(raw)
  structure(
    list(value = raw$value, upper_bound = number(raw$upper_bound), gap = number(raw$gap), problem = raw$problem,
         cardinality = raw$cardinality, cardinality_source = raw$cardinality_source,
         source = raw$source, metrics = raw$metrics,
         is_optimal = isTRUE(number(raw$gap) <= gap_accuracy),
         proof = if (!is.null(raw$proof)) answer(raw$proof, data)),
    class = "spcabench_certificate"
  )
}

# The largest gap at which an answer counts as optimal.
gap_accuracy <- 1e-6

# Returns loadings of any kind as a p x r matrix with columns of unit length.
unit_columns <- function(object, p) {
  accepted <- paste("a fit, or loadings as a matrix with", p, "rows and columns that are not zero")
  if (is.list(object)) {
    # prcomp() and nsprcomp(), elasticnet's spca(), PMA's SPC().
    member <- intersect(c("rotation", "loadings", "v"), names(object))
    if (length(member) == 0L) {
      refuse("object", class(object)[1L], accepted)
    }
    object <- object[[member[1L]]]
  }
  if (!is.numeric(object) || !(NROW(object) == p && NCOL(object) > 0L)) {
    refuse("object", object, accepted)
  }
  loadings <- matrix(as.numeric(object), nrow = p)
  lengths <- sqrt(colSums(loadings^2))
  if (!all(is.finite(lengths)) || any(lengths == 0)) {
    refuse("object", object, accepted)
  }
  # Columns of unit length up to rounding stay unchanged, to the byte.
  off <- which(abs(lengths - 1) > 1e-12)
  loadings[, off] <- sweep(loadings[, off, drop = FALSE], 2L, lengths[off], "/")
  loadings
}

print.spcabench_certificate <- function(x, digits = max(3L, getOption("digits") - 1L), ...) {
  cat("Certificate for ", x$problem, " with ", paste(x$cardinality, collapse = ", "), " nonzeros",
      if (x$cardinality_source == "nonzeros") ", as found", "\n",
      "explained variance ", format(x$value, digits = digits),
      if (is.na(x$upper_bound)) "; no bound was measured" else
        paste0("; no answer exceeds ", format(x$upper_bound, digits = digits), " (", x$source, ")"),
      "\n",
      if (x$is_optimal) "optimal" else paste("gap", percent(x$gap)), "\n", sep = "")
  invisible(x)
}
