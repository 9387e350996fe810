/** What somebody who is to call the API has to know besides its calls. */
import { PREFIX } from '../access/secret.js'
import type { BucketSizes } from '../limits/buckets.js'
import { codes } from './record-schemas.js'

export const introduction = (sizes: BucketSizes) =>
  `
The country is covered by frames, cells of about 0.01 degrees. Each has a stable id, and what is known of a place is kept under
the id of its frame: find the frame, read its records, or ask a question about it. Every call is read-only. The examples are of an
invented country.

## Key

Send \`Authorization: Bearer ${PREFIX}...\` with every call. A key belongs to one organisation, holds a list of capabilities, may be
narrowed to some datasets, and expires. It is looked up anew for each call. It is shown once, when it is minted; a lost one is
revoked, and another minted. A key anywhere else than in this header is not read.

## Envelope

A success is \`{"data": ...}\`. A failure is \`{"error": {"code", "message"}}\`: branch on \`code\`, show \`message\`.
${Object.entries(codes)
  .map(([code, meaning]) => `\n- \`${code}\`: ${meaning}.`)
  .join('')}

A path that does not exist answers 404 \`not_found\`, a method that a path does not have 405 \`invalid\` with \`Allow\`. HTTP that cannot be
read is answered in the envelope, too. Every answer carries \`X-Request-Id\`: quote it when something is wrong. Checks come in this order: key (401), buckets (429), capability (403), parameters (400), data.

## Parameters

A parameter that is given twice or blank is refused; one that is not known is ignored. Numbers are plain decimals with a point. A \`+\` in
a number is a sign. Names of units match whatever their case.

## Metering

Each call spends from the bucket of its key (${bucket(sizes.key)}) and from that of its organisation (${bucket(sizes.organisation)}), and a
question from a third, of the organisation (${bucket(sizes.insight)}). A key that may not ask spends nothing from the third. A refused call spends nothing.${sizes.address ? ` Keys that are not known spend from a bucket of the client's address (${bucket(sizes.address)}): once it is spent, a key that was not good before is refused with 429 instead of 401.` : ''} \`RateLimit\` and
\`RateLimit-Policy\` tell of the bucket closest to exhaustion. Past it: 429, and \`Retry-After\` in seconds, before which no retry can pass. When these
headers are absent, nothing was metered.

## Caps

Caps never refuse: the answer holds less and says so (\`truncated\`). A unit of more frames than an answer carries comes in pages: send \`next\`
as \`after\` until there is none.

## Caching

HEAD answers as GET does, without the body; \`GET /v1/frames/data\` may charge, and has none.
\`GET /v1/frames/at\` may be kept for ten minutes. The other reads carry an \`ETag\`: send it as \`If-None-Match\`, and 304 says that nothing
has changed. Failures and answers to questions are not to be kept. Bodies over 1 KiB come compressed when asked for.

## Versions

Paths begin with the version, \`/v1\`. Within it, codes are stable and messages may be reworded.
`.trim()

const bucket = ({ burst, perMinute }: { burst: number; perMinute: number }) =>
  `${burst} calls at once, ${perMinute} a minute`
