#' A client of the API. `max_wait`: seconds that one call may wait in all where a bucket is empty. `timeout`: those that
#' an answer may take.
frames_client <- function(url, key, max_wait = 300, timeout = 60) {
  stopifnot(is.character(url), length(url) == 1, grepl("^https?://", url))
  if (!is.character(key) || length(key) != 1 || !grepl("^[!-~]+$", key)) {
    stop("key: the secret of a key is accepted, svc_sk_ and 36 characters.", call. = FALSE)
  }
  client <- list(url = sub("/+$", "", url), key = key, max_wait = max_wait, timeout = timeout)
  structure(client, class = "frames_client")
}

print.frames_client <- function(x, ...) cat("<frames_client ", x$url, ">\n", sep = "")

#' Reads a path of the API, such as `/tools/key` or `/v1/states`.
frames_get <- function(client, path, ...) get_page(client, path, list(...))$data

#' Calls a tool. A vector of several values is a list of the call; wrap one value in `I()` where the call takes a list
#' alone.
frames_tool <- function(client, name, ..., idempotency_key = new_key()) {
  post_page(client, name, list(...), idempotency_key)$data
}

#' Adds columns to a data frame whose rows have a point, a frame or a unit: "frame,lga,lyr_population.pop_demest26". The
#' rows keep their order, and have a `reason` where one has no place. The attributes `charged` and `left_out` name what
#' was paid for and what the credits did not cover. With `price = TRUE`, says what that would cost.
frames_enrich <- function(client, rows, columns, price = FALSE, idempotency_key = new_key()) {
  query <- c(list(columns = columns), if (price) list(price = "true"))
  request <- httr2::req_url_query(httr2::req_method(request_of(client, "/tools/enrich"), "POST"), !!!query)
  body <- as.character(jsonlite::toJSON(rows, dataframe = "rows", auto_unbox = TRUE, digits = NA, na = "null"))
  found <- send(client, httr2::req_body_raw(request, body, type = "application/json"), idempotency_key)$data
  if (price) return(found)
  added <- setdiff(names(found$rows[[1]]), names(rows))
  value <- function(row, name) if (is.null(row[[name]])) NA_character_ else row[[name]]
  for (name in added) rows[[name]] <- vapply(found$rows, value, "", name)
  left_out <- vapply(found$leftOut, function(one) one$layerId, "")
  structure(rows, charged = unlist(found$charged), left_out = left_out)
}

#' The frames of a place, each once, page after page: a unit (`state`, `lga`, `ward`), a box (`bbox`, of west, south,
#' east and north), a `shape` (WKT, GeoJSON, or an object of sf), or at most 100 `ids`. All are of one index, or the walk
#' ends with an error of the class `index_changed`.
frames_of <- function(client, ...) {
  place <- list(...)
  if (inherits(place$shape, c("sf", "sfc", "sfg"))) place$shape <- wkt_of(place$shape)
  pages <- list()
  after <- NULL
  generation <- NULL
  repeat {
    page <- if (is.null(place$shape)) {
      get_page(client, "/v1/frames", c(place, list(after = after)))
    } else {
      post_page(client, "frames", c(place, list(after = after, geometry = TRUE, limit = 200)))
    }
    if (!is.null(generation) && !identical(page$generation, generation)) {
      frames_error("index_changed", "The index changed during the walk.")
    }
    generation <- page$generation
    found <- page$data
    if (is.null(names(found))) return(found)
    # A box has no pages, and a shape has.
    if (isTRUE(found$truncated) && is.null(found[["next"]]) && !is.null(place$bbox)) {
      return(frames_of(client, shape = box_wkt(place$bbox)))
    }
    pages <- c(pages, list(if (is.null(found$features)) found$frames else found$features))
    after <- found[["next"]]
    if (is.null(after)) return(do.call(c, pages))
  }
}

#' Frames as a layer of sf: `frame_id`, the units where the API sent them, and the shape in WGS 84.
frames_sf <- function(frames) {
  geometry <- vapply(frames, function(frame) as_json(frame$geometry), "")
  features <- sprintf('{"type":"Feature","properties":{},"geometry":%s}', geometry)
  text <- sprintf('{"type":"FeatureCollection","features":[%s]}', paste(features, collapse = ","))
  units <- c("state", "lga", "ward")
  rows <- lapply(units, function(unit) vapply(frames, function(frame) c(frame$admin[[unit]], NA_character_)[1], ""))
  columns <- data.frame(frame_id = vapply(frames, function(frame) frame$id, ""), stats::setNames(rows, units))
  if (length(frames) == 0) return(sf::st_sf(columns, geometry = sf::st_sfc(crs = 4326)))
  sf::st_sf(columns, geometry = sf::st_geometry(sf::read_sf(text)))
}

get_page <- function(client, path, given) {
  given <- Filter(Negate(is.null), given)
  query <- lapply(given, function(value) {
    paste(if (is.logical(value)) tolower(value) else if (is.numeric(value)) plain(value) else value, collapse = ",")
  })
  send(client, httr2::req_url_query(request_of(client, path), !!!query))
}

post_page <- function(client, name, given, key = new_key()) {
  given <- Filter(Negate(is.null), given)
  request <- httr2::req_method(request_of(client, paste0("/tools/", name)), "POST")
  # A call without arguments has an empty object.
  body <- if (length(given) == 0) "{}" else as_json(given)
  request <- httr2::req_body_raw(request, body, type = "application/json")
  send(client, request, key)
}

request_of <- function(client, path) {
  request <- httr2::req_timeout(httr2::request(paste0(client$url, path)), client$timeout)
  request <- httr2::req_user_agent(request, "frames-client-r/1.0.0")
  request <- httr2::req_options(request, followlocation = FALSE)
  request <- httr2::req_error(request, is_error = function(response) FALSE)
  # httr2 sleeps after a 429 and after a failure even where it does not try again; `send` waits and tries.
  request$policies$retry_is_transient <- function(response) FALSE
  request$policies$retry_backoff <- function(tries) 0
  httr2::req_auth_bearer_token(request, client$key)
}

# Waits where a bucket is empty, and sends the call once more after a failure: under its key, it is charged once.
send <- function(client, request, key = new_key()) {
  request <- httr2::req_headers(request, `Idempotency-Key` = key)
  waited <- 0
  has_retried <- FALSE
  repeat {
    answer <- tryCatch(httr2::req_perform(request), error = identity)
    failed <- inherits(answer, "error")
    status <- if (failed) 0 else httr2::resp_status(answer)
    body <- if (failed) list() else body_of(answer)
    if (status == 200 && !is.null(body$data)) {
      return(list(data = body$data, generation = httr2::resp_header(answer, "X-Index-Generation")))
    }
    if (status == 429) {
      wait <- max(1, suppressWarnings(as.numeric(c(httr2::resp_header(answer, "Retry-After"), 1)[1])), na.rm = TRUE)
      waited <- waited + wait
      if (waited <= client$max_wait) {
        Sys.sleep(wait)
        next
      }
    } else if ((failed || status >= 500) && !has_retried) {
      has_retried <- TRUE
      Sys.sleep(0.5)
      next
    }
    if (failed) frames_error("unreachable", paste0(client$url, " does not answer: ", reason_of(answer)))
    id <- httr2::resp_header(answer, "X-Request-Id")
    if (is.null(body$error$code)) {
      frames_error("unexpected", sprintf("The answer, of status %d, is not the API's.", status), status, id)
    }
    frames_error(body$error$code, body$error$message, status, id)
  }
}

body_of <- function(answer) {
  text <- if (length(answer$body) == 0) "" else httr2::resp_body_string(answer)
  parsed <- tryCatch(jsonlite::fromJSON(text, simplifyVector = FALSE), error = function(error) NULL)
  if (is.list(parsed)) parsed else list()
}

# A condition of the class of its code: `tryCatch(..., invalid_point = function(error) ...)`.
frames_error <- function(code, message, status = NULL, request_id = NULL) {
  fields <- list(message = message, call = NULL, code = code, status = status, request_id = request_id)
  stop(structure(fields, class = c(code, "frames_error", "error", "condition")))
}

reason_of <- function(error) conditionMessage(if (is.null(error$parent)) error else error$parent)

as_json <- function(value) as.character(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA, null = "null"))

plain <- function(numbers) format(numbers, digits = 15, scientific = FALSE, trim = TRUE)

wkt_of <- function(shape) {
  geometry <- if (inherits(shape, "sfg")) sf::st_sfc(shape, crs = 4326) else sf::st_geometry(shape)
  sf::st_as_text(sf::st_union(sf::st_transform(geometry, 4326)), digits = 15)
}

box_wkt <- function(box) {
  corners <- plain(as.numeric(if (is.character(box)) strsplit(box, ",")[[1]] else box))
  x <- corners[c(1, 3, 3, 1, 1)]
  y <- corners[c(2, 2, 4, 4, 2)]
  sprintf("POLYGON((%s))", paste(x, y, collapse = ","))
}

# Names of temporary files are random whatever `set.seed` says: a program that runs again asks under another key.
new_key <- function() paste(basename(tempfile("")), Sys.getpid(), as.hexmode(floor(as.numeric(Sys.time()))), sep = "-")
