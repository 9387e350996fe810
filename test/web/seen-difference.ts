/** Measures how well people tell two colours apart, also those who see fewer colours. */

type Triple = [number, number, number]
type Matrix = [Triple, Triple, Triple]

/** Machado, Oliveira and Fernandes 2009, at full severity, on linear RGB. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const rgbOf = (colour: string): Triple => {
  const part = (at: number) => linear(Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  return [part(1), part(3), part(5)]
}

const product = ([a, b, c]: Triple, [x, y, z]: Triple) => a * x + b * y + c * z

const seen = (rows: Matrix, rgb: Triple): Triple =>
  rows.map((row) => Math.min(1, Math.max(0, product(row, rgb)))) as Triple

const cubeRoot = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)

function labOf(rgb: Triple): Triple {
  const x = cubeRoot(product([0.4124, 0.3576, 0.1805], rgb) / 0.95047)
  const y = cubeRoot(product([0.2126, 0.7152, 0.0722], rgb))
  const z = cubeRoot(product([0.0193, 0.1192, 0.9505], rgb) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Returns how light a colour is in grey, from 0 to 100. */
export const lightness = (colour: string): number => labOf(rgbOf(colour))[0]

/** Returns the distance in CIE Lab of 1976, for the vision that tells them apart least. */
export function seenDifference(one: string, other: string): number {
  const distances = Object.values(VISIONS).map((vision) => {
    const [a, b] = [labOf(seen(vision, rgbOf(one))), labOf(seen(vision, rgbOf(other)))]
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  })
  return Math.min(...distances)
}
