/** Reads a form that brings a file: its fields as any other form's, its file as it comes. */
import type { Request } from 'express'
import busboy from 'busboy'
import { badForm } from './refusals.js'

const TYPE = 'multipart/form-data'
const FIELDS_MAX = 1000

/** A blank name says that no file was chosen. */
export type FormFile = { name: string; hash: string }

/** `keep` takes the bytes of the one file, and returns their hash. */
export async function readFileForm(
  req: Request,
  keep: (bytes: AsyncIterable<Buffer>) => Promise<string>,
): Promise<FormFile> {
  if (!req.is(TYPE)) throw badForm(`Content-Type: ${TYPE} is accepted.`, 415)
  const fields = new URLSearchParams()
  let file: Promise<FormFile> | undefined
  const limits = { files: 1, fields: FIELDS_MAX, fieldSize: 1000, parts: FIELDS_MAX + 1 }
  const parser = busboy({ headers: req.headers, limits, defParamCharset: 'utf8' })
  try {
    await new Promise<void>((done, failed) => {
      const broken = () => failed(badForm('Its text cannot be read.'))
      const tooMany = () => failed(badForm('It has more files or fields than the page.', 413))
      parser.on('field', (name, value) => fields.append(name, value))
      parser.on('file', (_name, bytes, { filename }) => {
        file = keep(bytes as AsyncIterable<Buffer>).then((hash) => ({ name: filename || '', hash }))
        file.catch(failed)
      })
      parser.on('filesLimit', tooMany).on('fieldsLimit', tooMany).on('partsLimit', tooMany)
      parser.on('error', broken).on('close', done)
      req.on('error', broken).pipe(parser)
    })
  } finally {
    // The browser reads no answer while it still sends.
    req.unpipe(parser)
    req.resume()
  }
  req.visit.form = fields
  return (await file) ?? { name: '', hash: '' }
}
