# Converts arguments for the core. Each mistake is an error that names the argument and says what is
# accepted.

refuse <- function(name, found, accepted) {
  shown <- paste(capture.output(str(found, give.attr = FALSE)), collapse = " ")
  stop(name, ": found", sub("^ *", " ", shown), "; accepted: ", accepted, call. = FALSE)
}

# Returns an answer of the core. A refusal becomes an error without a call: its message names the
# argument.
checked <- function(answer) {
  if (inherits(answer, "spcabench_refusal")) {
    stop(unclass(answer), call. = FALSE)
  }
  answer
}

largest_whole <- 2^53

is_whole <- function(value) {
  is.numeric(value) && length(value) > 0L && all(is.finite(value)) &&
    all(value == trunc(value)) && all(abs(value) <= largest_whole)
}

whole <- function(name, value, least, accepted = paste("a whole number >=", least)) {
  if (!is_whole(value) || length(value) != 1L || value < least) {
    refuse(name, value, accepted)
  }
  as.numeric(value)
}

cardinality <- function(k) {
  if (is.null(k)) {
    return(numeric())
  }
  if (!is_whole(k) || any(k < 1)) {
    refuse("k", k, "a whole number >= 1, or one for each component")
  }
  as.numeric(k)
}

flag <- function(name, value) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    refuse(name, value, "TRUE or FALSE")
  }
  value
}

word <- function(name, value, accepted) {
  if (!is.character(value) || length(value) != 1L || is.na(value)) {
    refuse(name, value, accepted)
  }
  value
}

one_of <- function(name, value, choices) {
  accepted <- paste0("\"", choices, "\"", collapse = ", ")
  if (!(word(name, value, accepted) %in% choices)) {
    refuse(name, value, accepted)
  }
  value
}

seconds <- function(name, value) {
  if (is.null(value)) {
    return(Inf)
  }
  if (!is.numeric(value) || length(value) != 1L || is.na(value) || value <= 0) {
    refuse(name, value, "NULL or seconds > 0")
  }
  as.numeric(value)
}

seed_number <- function(seed) whole("seed", seed, 0, "a whole number from 0 to 2^53")

thread_count <- function(threads) min(whole("threads", threads, 1), 4096)

# Returns the options of a solver: those in `...` and those in the list.
solver_options <- function(dots, options) {
  if (!is.list(options)) {
    refuse("options", options, "a list of options; see describe(solver)")
  }
  all <- c(dots, options)
  names <- names(all)
  if (length(all) > 0L && (is.null(names) || any(names == ""))) {
    stop("options: found one without a name; accepted: name = value; see describe(solver)",
         call. = FALSE)
  }
  twice <- names[duplicated(names)]
  if (length(twice) > 0L) {
    stop("options: found ", twice[1L], " twice; accepted: each option once", call. = FALSE)
  }
  all
}
