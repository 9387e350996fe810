/** GET /v1/openapi.json: the description of the interface, without a key. */
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import { describeInterface } from '../http/described.js'
import type { Services } from '../../services.js'

export const openapiRoute = ({ bucketSizes }: Services): RequestHandler =>
  publicFile('application/json; charset=utf-8', () => Buffer.from(JSON.stringify(describeInterface(bucketSizes))))
