# S from R objects: a matrix, a data frame, a sparse matrix, a covariance matrix, or a name.

accepted_data <- paste("a numeric matrix or data frame with samples as rows, a dgCMatrix,",
                       "or the name of a data set; see list_datasets()")

# Returns the data in the core's form, with the members that predict() needs: `matrix` is the
# argument as a matrix without missing values, NULL for a covariance matrix or a named data set;
# `center` and `scale` are FALSE or p numbers.
read_data <- function(x, covariance, center, scale, divisor, missing = "error") {
  covariance <- flag("covariance", covariance)
  center <- flag("center", center)
  one_of("divisor", divisor, c("n", "n-1", "none"))
  if (is.character(x) && is.null(dim(x))) {
    return(named_data(x))
  }
  x <- as_numbers(x)
  warn_of_names(x, covariance)
  x <- without_missing(x, missing, covariance)
  if (covariance && is(x, "dgCMatrix")) {
    refuse("x", class(x)[1L], "a dense covariance matrix")
  }
  if (covariance && !isFALSE(scale)) {
    refuse("scale", scale, "FALSE if x is a covariance matrix; cov2cor(x) scales it")
  }
  divisors <- column_scales(x, center, scale)
  how <- list(center = center, divisor = divisor, scale = divisors,
              names = as.character(colnames(x)))
  pointer <- if (is(x, "dgCMatrix")) {
    .Call(C_sparse_data, x@x, x@i, x@p, x@Dim, how)
  } else {
    .Call(C_dense_data, x, covariance, how)
  }
  if (covariance && inherits(pointer, "spcabench_refusal") && grepl("semidefinite", pointer)) {
    pointer[1L] <- paste0(pointer, "; or x without negative eigenvalues, as.matrix(nearPD(x)$mat) ",
                          "of package Matrix")
  }
  described_data(checked(pointer), list(
    matrix = if (!covariance) x,
    center = if (center && !covariance) Matrix::colMeans(x) else FALSE,
    scale = if (length(divisors) > 0L) divisors else FALSE,
    covariance = covariance, centered = center, divisor = divisor
  ))
}

# Warns of equal names and of a covariance matrix taken as data; stops if the rows and columns of a
# covariance matrix have different orders.
warn_of_names <- function(x, covariance) {
  columns <- colnames(x)
  equal <- unique(columns[duplicated(columns)])
  if (length(equal) > 0L) {
    others <- length(equal) - 1L
    warning("x: shared names: \"", equal[1L], "\" (", sum(columns == equal[1L]), " times)",
            if (others > 0L) paste0(" and ", others, " other", if (others > 1L) "s"),
            "; predict() goes by place", call. = FALSE)
  }
  if (covariance) {
    rows <- rownames(x)
    other <- if (!is.null(rows) && !is.null(columns) && length(rows) == length(columns)) {
      which(rows != columns)
    }
    if (length(other) > 0L) {
      stop("x: row ", other[1L], " is called \"", rows[other[1L]], "\", and column ", other[1L],
           " \"", columns[other[1L]], "\"; accepted: rows and columns in one order", call. = FALSE)
    }
  } else if (ncol(x) > 1L && nrow(x) == ncol(x) && !anyNA(x) &&
             all(x[1L, ] == x[, 1L]) &&  # before the whole transpose is made
             (if (is.matrix(x)) all(x == t(x)) else all((x - Matrix::t(x))@x == 0))) {
    warning("x: is square and symmetric, and taken as data; covariance = TRUE takes it as S",
            call. = FALSE)
  }
}

# Returns dense data with NA treated as by `spca solve --missing`; sparse data and covariance
# matrices stay as they are. A warning reports the treatment.
without_missing <- function(x, missing, covariance) {
  word("missing", missing, "\"error\", \"mean\", \"low-rank\", \"drop-rows\" or \"drop-columns\"")
  if (covariance && missing != "error") {
    refuse("missing", missing, "\"error\" for a covariance matrix")
  }
  if (covariance || !is.matrix(x) || (!anyNA(x) && missing == "error")) {
    return(x)
  }
  complete <- checked(.Call(C_without_missing, x, missing, as.character(rownames(x)),
                            as.character(colnames(x))))
  for (note in attr(complete, "notes")) {
    warning("x: ", note, call. = FALSE)
  }
  attr(complete, "notes") <- NULL
  complete
}

named_data <- function(name) {
  word("x", name, accepted_data)
  pointer <- .Call(C_named_data, name, 1)
  if (inherits(pointer, "spcabench_refusal")) {
    stop("x: ", sub("^name: ", "", unclass(pointer)), call. = FALSE)
  }
  described_data(pointer, list(center = FALSE, scale = FALSE, covariance = FALSE,
                               centered = TRUE, divisor = "n", dataset = name))
}

# Describes the data; a warning reports findings of the core about them.
described_data <- function(pointer, data) {
  shape <- checked(.Call(C_shape, pointer))
  for (note in shape$notes) {
    warning(note, call. = FALSE)
  }
  c(data, list(pointer = pointer), shape[names(shape) != "notes"])
}

# Returns a double matrix or a dgCMatrix. Other types are converted, which makes a copy.
as_numbers <- function(x) {
  if (is.data.frame(x)) {
    # Class integer64 (bit64) holds integers in the bytes of doubles, which R would misread.
    wrong <- which(!vapply(x, function(column) {
      (is.numeric(column) || is.logical(column)) && !inherits(column, "integer64")
    }, NA))
    if (length(wrong) > 0L) {
      stop("x: column ", wrong[1L], " (\"", names(x)[wrong[1L]], "\") is of class ",
           class(x[[wrong[1L]]])[1L], "; accepted: numeric columns", call. = FALSE)
    }
    x <- as.matrix(x)
  } else if (is(x, "sparseMatrix")) {
    x <- as(as(as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  } else if (is(x, "Matrix")) {
    x <- as.matrix(x)
  }
  if (is(x, "dgCMatrix")) {
    return(x)
  }
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x)) || inherits(x, "integer64")) {
    refuse("x", x, accepted_data)
  }
  if (nrow(x) == 0L || ncol(x) == 0L) {
    stop("x: found ", nrow(x), " x ", ncol(x), "; accepted: at least one row and one column",
         call. = FALSE)
  }
  if (!is.double(x)) {
    storage.mode(x) <- "double"
  }
  x
}

# Returns the divisor of each column; none if `scale` is FALSE. For TRUE the divisor is that of
# scale(): the standard deviation, or the root mean square if the data are not centred.
column_scales <- function(x, center, scale) {
  accepted <- "TRUE, FALSE, or a number > 0 for each column"
  if (isFALSE(scale)) {
    return(numeric())
  }
  if (is.numeric(scale)) {
    if (length(scale) != ncol(x) || !all(is.finite(scale)) || any(scale <= 0)) {
      refuse("scale", scale, accepted)
    }
    return(as.numeric(scale))
  }
  if (!isTRUE(scale)) {
    refuse("scale", scale, accepted)
  }
  if (nrow(x) < 2L) {
    refuse("scale", scale, "FALSE if there is one row")
  }
  means <- if (center) Matrix::colMeans(x) else numeric(ncol(x))
  deviations <- if (is(x, "dgCMatrix")) {
    .Call(C_column_deviations, x@x, x@p, nrow(x), means)
  } else {
    .Call(C_column_deviations, x, NULL, nrow(x), means)
  }
  if (!all(is.finite(deviations))) {
    return(numeric())  # the core reports the place
  }
  constant <- which(deviations == 0)
  if (length(constant) > 0L) {
    stop("scale: column ", constant[1L], " of x is constant; accepted: FALSE, or x without it",
         call. = FALSE)
  }
  deviations
}

# Returns (x - center) / scale times the loadings, n x r. Sparse data stay sparse, except for the
# used columns that are mostly filled: these are centred first, because with a large mean the
# difference of two products would keep few digits.
scores <- function(x, rotation, center, scale) {
  weights <- if (isFALSE(scale)) rotation else rotation / scale
  used <- which(rowSums(weights != 0) > 0)
  times <- function(columns, x) as.matrix(x %*% weights[columns, , drop = FALSE])
  if (isFALSE(center)) {
    product <- times(used, x[, used, drop = FALSE])
  } else {
    is_full <- if (is(x, "dgCMatrix")) 2 * diff(x@p)[used] > nrow(x) else rep(TRUE, length(used))
    full <- used[is_full]
    few <- used[!is_full]
    product <- times(full, sweep(as.matrix(x[, full, drop = FALSE]), 2L, center[full]))
    if (length(few) > 0L) {
      product <- product + sweep(times(few, x[, few, drop = FALSE]), 2L,
                                 drop(times(few, t(center[few]))))
    }
  }
  dimnames(product) <- list(rownames(x), colnames(rotation))
  product
}
