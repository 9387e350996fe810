/** Tells by the first bytes of a file that it is of another form than its name or its reader expects. */

const MARKED: readonly [mark: string, form: string][] = [
  ['1f8b', 'a file compressed by gzip: unpack it with gunzip'],
  ['425a68', 'a file compressed by bzip2: unpack it with bunzip2'],
  ['fd377a585a', 'a file compressed by xz: unpack it with unxz'],
  ['28b52ffd', 'a file compressed by zstd: unpack it with unzstd'],
  ['377abcaf', 'a 7-Zip archive: unpack it'],
  ['fffe', 'text in UTF-16: save it as UTF-8, or convert it with iconv -f UTF-16 -t UTF-8'],
  ['feff', 'text in UTF-16: save it as UTF-8, or convert it with iconv -f UTF-16 -t UTF-8'],
  ['d0cf11e0', 'an Excel workbook (xls): save the sheet as CSV in UTF-8'],
  ['53514c69746520666f726d6174', 'a GeoPackage or another SQLite database: export its layer with ogr2ogr'],
  ['50415231', 'a Parquet file: export it with ogr2ogr'],
  ['666762', 'a FlatGeobuf file: export it with ogr2ogr'],
  ['0000270a', 'a Shapefile: export it with ogr2ogr'],
  ['25504446', 'a PDF document: a table in it has to be copied into a CSV file'],
]

const ZIP = '504b0304'
const JSON_START = /^\[?\s*\{\s*["}]/
const JSON_BEGINS = ['{', '[', '\x1e']
const SHOWN_BYTES = 4096

/** Undefined for bytes that may be what is wanted. */
export function formFault(bytes: Buffer, wanted: 'csv' | 'json' | 'raster'): string | undefined {
  const hex = bytes.toString('hex', 0, 16)
  const marked = MARKED.find(([mark]) => hex.startsWith(mark))
  if (marked) return `${marked[1]}, then give that file.`
  const text = bytes.toString('utf8', 0, SHOWN_BYTES).replace(/^\uFEFF/, '')
  if (hex.startsWith(ZIP)) return zipForm(bytes.toString('latin1'))
  // Every second byte of Latin letters in UTF-16 is NUL.
  if (/^(?:00[2-7].){2}|^(?:[2-7].00){2}/.test(hex))
    return 'text in UTF-16: save it as UTF-8, or convert it with iconv -f UTF-16LE -t UTF-8, then give that file.'
  const start = text.trimStart()
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start))
    return 'a web page (HTML): the address of the file may need a sign-in, or may be that of a page about it.'
  if (wanted === 'raster') return undefined
  if (/^<\?xml|^<(?:kml|gml)\b/i.test(start))
    return 'XML: where ogr2ogr reads it, as KML and GML, convert it, then give that file.'
  if (wanted === 'csv' && JSON_START.test(start))
    return 'JSON, and CSV is expected: name features .geojson, or convert them with ogr2ogr -f CSV.'
  if (wanted === 'json' && start !== '' && !JSON_BEGINS.includes(start.charAt(0)) && isTable(start))
    return 'CSV, and JSON is expected of this name: give it a name that ends in .csv.'
  return undefined
}

/** A ZIP archive names its files in clear. */
function zipForm(text: string): string {
  if (/xl\/|\[Content_Types\]/.test(text))
    return 'an Excel workbook (xlsx): save the sheet as CSV in UTF-8, then give that file.'
  if (text.includes('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'))
    return 'an OpenDocument spreadsheet: save the sheet as CSV in UTF-8, then give that file.'
  return 'a ZIP archive: unpack it, then give the file in it.'
}

/** Two lines of as many columns. */
function isTable(text: string): boolean {
  const [names = '', row = ''] = text.split(/\r?\n/, 2)
  return [',', ';', '\t', '|'].some(
    (mark) => names.includes(mark) && names.split(mark).length === row.split(mark).length,
  )
}
