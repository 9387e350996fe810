/** Says above the map why a part of it did not come, and goes on when the service lets it. */
import { element } from './map-browser.js'

/** The status that MapLibre gives a tile whose request got no answer. */
export const NO_CONNECTION = 0

/** The status of the answer; for 429 also the seconds until the next request passes. */
export type RefusedRead = { status: number; seconds?: number }

export type MapNotes = {
  /** `resume` runs once the seconds of a 429 have passed. */
  show: (refusal: RefusedRead, resume?: () => void) => void
  hide: () => void
}

export function openNotes(): MapNotes {
  let waits: { until: number; resume: Set<() => void> } | undefined
  let isSignedOut = false

  const write = (text: string) => {
    const note = element('map-note')
    if (note.textContent !== text) note.textContent = text
    note.hidden = text === ''
  }
  /** Ends by itself: one timer runs, however many tiles wait. */
  const tick = () => {
    if (!waits || isSignedOut) return
    const seconds = Math.ceil((waits.until - Date.now()) / 1000)
    if (seconds > 0) {
      write(`The map asked for more than a minute allows. It goes on in ${seconds} s.`)
      return void setTimeout(tick, 500)
    }
    const { resume } = waits
    waits = undefined
    write('')
    for (const each of resume) each()
  }
  const wait = (seconds: number, resume: (() => void) | undefined) => {
    const isNew = waits === undefined
    waits ??= { until: 0, resume: new Set() }
    waits.until = Math.max(waits.until, Date.now() + seconds * 1000)
    if (resume) waits.resume.add(resume)
    if (isNew) tick()
  }

  return {
    show: ({ status, seconds = FALLBACK_SECONDS }, resume) => {
      if (isSignedOut) return
      if (status === 429) return wait(seconds, resume)
      if (status === 401) {
        isSignedOut = true
        write('Your session has ended. ')
        element('map-note').append(linkToSignIn())
      } else if (status === NO_CONNECTION) write('No connection. Try again once it is back.')
      else if (!waits) write('A part of the map did not come. Move the map to ask again.')
    },
    hide: () => {
      if (!waits && !isSignedOut) write('')
    },
  }
}

/** A refusal that names no time is one of a proxy. */
const FALLBACK_SECONDS = 5

/** The page of the map itself leads a person without a session to the sign-in page. */
function linkToSignIn() {
  const link = document.createElement('a')
  link.setAttribute('href', location.href)
  link.textContent = 'Sign in'
  return link
}
