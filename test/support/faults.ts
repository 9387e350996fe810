/** Keeps the faults that the services under test log, and prints them when a test fails: a 500 does not say why. */
const MOST = 5
let faults: string[] = []

export const faultLog = {
  write: (line: string) => {
    faults.push(line)
    if (faults.length > MOST) faults.shift()
  },
}

export function clearFaults(): void {
  faults = []
}

export function printFaults(): void {
  for (const line of faults) console.error(`    logged meanwhile: ${line.trimEnd()}`)
}
