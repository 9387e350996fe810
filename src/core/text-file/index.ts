export { type CsvFile, type CsvRow, openCsv } from './csv-file.js'
export { FileFault } from './file-fault.js'
export { type JsonValue, jsonValues } from './json-values.js'
