# Makes the calls of a table (test/clients/calls.jsonl), and prints what the client answers, a line for each.
library(framesclient)

for (line in readLines(commandArgs(TRUE)[1], encoding = "UTF-8")) {
  row <- jsonlite::fromJSON(line, simplifyVector = FALSE)
  client <- frames_client(row$url, row$key, max_wait = 2)
  result <- tryCatch(
    list(answer = if (!is.null(row$frames)) {
      lapply(do.call(frames_of, c(list(client), row$frames)), function(frame) frame$id)
    } else if (!is.null(row$get)) {
      do.call(frames_get, c(list(client, row$get), row$given))
    } else {
      do.call(frames_tool, c(list(client, row$tool), row$given))
    }),
    frames_error = function(error) list(error = error$code, status = error$status)
  )
  cat(jsonlite::toJSON(result, auto_unbox = TRUE, digits = NA, null = "null"), "\n", sep = "")
}
