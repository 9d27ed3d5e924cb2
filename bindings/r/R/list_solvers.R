list_solvers <- function() listed("solvers")

list_datasets <- function() listed("datasets")

# Returns the program's list as a data frame.
listed <- function(what) {
  items <- checked(.Call(C_list_of, what))
  columns <- lapply(names(items[[1L]]), function(name) {
    unlist(lapply(items, function(item) if (length(item[[name]]) == 1L) item[[name]] else NA))
  })
  names(columns) <- names(items[[1L]])
  as.data.frame(columns, stringsAsFactors = FALSE)
}

describe <- function(name, kind = "solver") {
  one_of("kind", kind, c("solver", "dataset", "metric", "experiment"))
  word("name", name, "a name from list_solvers() or list_datasets()")
  structure(checked(.Call(C_describe, kind, name)), class = "spcabench_description")
}

print.spcabench_description <- function(x, ...) {
  for (member in setdiff(names(x), "options")) {
    value <- x[[member]]
    if (is.atomic(value) && length(value) > 0L && !identical(value, "")) {
      cat(strwrap(paste0(member, ": ", paste(value, collapse = ", ")), exdent = 4L), sep = "\n")
    }
  }
  for (option in x$options) {
    default <- paste(format(unlist(option$default)), collapse = ", ")
    cat(strwrap(paste0(option$name, " = ", default, ": ", option$help), indent = 2L, exdent = 6L),
        sep = "\n")
  }
  invisible(x)
}
