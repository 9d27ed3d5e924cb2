# Reads a matrix of 8-byte numbers from a .npy file as spca writes it (version 1.0, by columns).
read_npy <- function(path) {
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 8)  # magic and version
  length <- readBin(file, "integer", 1, size = 2, signed = FALSE, endian = "little")
  header <- rawToChar(readBin(file, "raw", length))
  shape <- sub(".*'shape': \\(([0-9]+), ([0-9]+)\\).*", "\\1 \\2", header)
  shape <- as.numeric(strsplit(shape, " ")[[1]])
  matrix(readBin(file, "double", prod(shape), endian = "little"), shape[1], shape[2])
}

# Writes loadings with all digits, so that nothing is lost between R and spca.
write_loadings <- function(loadings, path) {
  lines <- apply(loadings, 1, function(row) paste(sprintf("%.17g", row), collapse = ","))
  writeLines(lines, path)
}

# Evaluates the expression. After an error its message is the last line that R writes, instead of
# "Execution halted".
or_say_why <- function(expression) {
  tryCatch(expression, error = function(error) {
    message(gsub("\n", " ", conditionMessage(error)))
    quit(status = 1)
  })
}
