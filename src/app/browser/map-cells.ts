/**
 * Draws frames that are cells of the grid, by WebGL. A square of 1 degree is a picture of 100 by 100 classes on a strip
 * of 100 rows, since rows are of one height in degrees and not on the map. The shader knows the colours, and draws
 * stripes and edges in pixels of the screen, so that a class that changes its colour costs nothing.
 */
import type { CustomLayerInterface, Map as MapLibreMap } from './maplibre-gl.mjs'
import { colourParts } from './map-browser.js'
import { eastOf, southOf, type Square } from './map-view.js'

/** Cells along a side of a square. */
export const SIDE = 100
/** Class 0 is no frame, and class 1 a frame without a value. */
export const FIRST_CLASS = 2
/** A cell that is dimmed has so much more in its second part, which says how unsure it is. */
export const OUTSIDE = 4
const PALETTE = 32
const ROWS = 2 * (SIDE + 1)

const VERTEX = `#version 300 es
in vec2 spot;
in vec2 place;
uniform vec2 origin;
uniform vec2 scale;
out vec2 cell;
void main() {
  cell = place;
  gl_Position = vec4(origin + spot * scale, 0.0, 1.0);
}`

/** The stripes are those of hatchImage in map-style.ts. `anchor` keeps them in place while the map moves. */
const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D classes;
uniform vec4 palette[${PALETTE}];
uniform vec4 ground;
uniform vec4 hatch;
uniform vec4 unsure;
uniform vec4 edge;
uniform vec2 anchor;
uniform float pixel;
in vec2 cell;
out vec4 colour;
vec4 over(vec4 below, vec3 above, float alpha) {
  return vec4(mix(below.rgb, above, alpha), 1.0);
}
float stripe(float at, float size) {
  return mod(floor(at), size);
}
void main() {
  vec4 texel = texelFetch(classes, ivec2(clamp(cell, 0.0, ${SIDE - 1}.9)), 0) * 255.0;
  int known = int(texel.r + 0.5);
  int second = int(texel.g + 0.5);
  int degree = second % ${OUTSIDE};
  if (known == 0) discard;
  vec2 at = floor(gl_FragCoord.xy / pixel + anchor);
  if (known == 1) {
    float line = stripe(at.x - at.y, 8.0);
    colour = over(ground, hatch.rgb, line == 0.0 ? 1.0 : line == 1.0 ? 0.35 : 0.0);
  } else {
    colour = palette[known - ${FIRST_CLASS}];
  }
  if (degree > 0) {
    float line = stripe(at.x + at.y, degree == 1 ? 10.0 : 6.0);
    colour = line == 0.0 ? over(colour, unsure.rgb, 1.0) : line == 1.0 ? over(colour, vec3(1.0), 0.75) : colour;
  }
  if (second >= ${OUTSIDE}) colour = over(colour, ground.rgb, 0.88);
  vec2 wide = fwidth(cell);
  vec2 near = min(fract(cell), 1.0 - fract(cell)) / wide;
  if (min(near.x, near.y) < 0.5) colour = over(colour, edge.rgb, edge.a);
}`

/** Colours as CSS writes them. */
type CellColours = { palette: readonly string[] } & Record<'ground' | 'hatch' | 'unsure' | 'edge', string>

export type Cells = CustomLayerInterface & {
  /** `texels`: for each cell from the south-west, its class, and how unsure it is and whether it is dimmed. */
  put: (square: Square, texels: Uint8Array) => void
  remove: (square: Square) => void
  clear: () => void
  colour: (colours: CellColours) => void
  isShown: boolean
}

type Strip = { square: Square; texels: Uint8Array | undefined; picture: WebGLTexture; rows: WebGLVertexArrayObject }

/** Frames have edges from the zoom at which they are 7 pixels wide: fine ones at first, since they would hide the colours. */
const EDGES = { from: 9, whole: 11 }

export function openCells(): Cells {
  const strips = new Map<string, Strip>()
  let [map, gl, program]: [MapLibreMap?, WebGL2RenderingContext?, WebGLProgram?] = []
  let colours: ColourParts | undefined
  const keyOf = ([lon, lat]: Square) => `${lon} ${lat}`
  const drop = (key: string) => {
    const strip = strips.get(key)
    strips.delete(key)
    gl?.deleteTexture(strip?.picture ?? null)
    gl?.deleteVertexArray(strip?.rows ?? null)
  }

  return {
    id: 'cells',
    type: 'custom',
    isShown: false,
    onAdd(on, context) {
      ;[map, gl, program] = [on, context, programOf(context)]
      strips.clear()
    },
    put(square, texels) {
      if (!gl || !program) return
      const known = strips.get(keyOf(square))
      if (known) known.texels = texels
      else strips.set(keyOf(square), { square, texels, picture: gl.createTexture(), rows: rowsOf(gl, program, square) })
    },
    remove: (square) => drop(keyOf(square)),
    clear: () => strips.forEach((_strip, key) => drop(key)),
    colour: ({ palette, ...others }) => {
      const parts = Object.entries(others).map(([name, colour]) => [name, colourParts(colour)])
      colours = {
        palette: palette.slice(0, PALETTE).flatMap(colourParts),
        ...(Object.fromEntries(parts) as object),
      } as ColourParts
    },
    render() {
      if (!this.isShown || !map || !gl || !program || !colours) return
      gl.useProgram(program)
      const seen = windowOf(map)
      setColours(gl, program, colours, { edges: edgesAt(map.getZoom()), ...seen })
      gl.activeTexture(gl.TEXTURE0)
      for (const strip of strips.values()) {
        gl.bindTexture(gl.TEXTURE_2D, strip.picture)
        if (strip.texels) upload(gl, strip.texels)
        strip.texels = undefined
        const [lon, lat] = strip.square
        const [x, y] = [(eastOf(lon) - seen.east) * seen.across, (seen.south - southOf(lat + 1)) * seen.down]
        gl.uniform2f(gl.getUniformLocation(program, 'origin'), x, y)
        gl.uniform2f(gl.getUniformLocation(program, 'scale'), seen.across, -seen.down)
        gl.bindVertexArray(strip.rows)
        gl.drawArrays(gl.TRIANGLE_STRIP, 0, ROWS)
      }
      gl.bindVertexArray(null)
    },
  }
}

/** From nothing to 1. */
const edgesAt = (zoom: number): number =>
  zoom < EDGES.from ? 0 : Math.min(1, 0.4 + (0.6 * (zoom - EDGES.from)) / (EDGES.whole - EDGES.from))

type ColourParts = Record<'palette' | 'ground' | 'hatch' | 'unsure' | 'edge', number[]>

type Window = Record<'east' | 'south' | 'across' | 'down' | 'pixel', number> & { anchor: readonly [number, number] }

/**
 * The middle of the window in pixels at zoom 0, and how much of the window one of them takes. Places relative to it
 * keep their digits in the numbers of a graphics card, which has seven.
 */
function windowOf(map: MapLibreMap): Window {
  const canvas = map.getCanvas()
  const { clientWidth: width, clientHeight: height } = canvas
  const { lng, lat } = map.getCenter()
  const [east, south, scale] = [eastOf(lng), southOf(lat), 2 ** map.getZoom()]
  // Stripes repeat after 120 pixels.
  const anchor = [(east * scale - width / 2) % 120, (-south * scale - height / 2) % 120] as const
  return {
    east,
    south,
    across: (2 * scale) / width,
    down: (2 * scale) / height,
    pixel: canvas.width / width,
    anchor,
  }
}

function setColours(
  gl: WebGL2RenderingContext,
  program: WebGLProgram,
  { edge, ...others }: ColourParts,
  { edges, anchor, pixel }: Window & { edges: number },
): void {
  const at = (name: string) => gl.getUniformLocation(program, name)
  for (const [name, parts] of Object.entries(others)) gl.uniform4fv(at(name), parts)
  const [red = 0, green = 0, blue = 0, alpha = 0] = edge
  gl.uniform4f(at('edge'), red, green, blue, alpha * edges)
  gl.uniform2f(at('anchor'), ...anchor)
  gl.uniform1f(at('pixel'), pixel)
}

/** MapLibre uploads pictures with other settings, and reads its own anew after this layer has drawn. */
function upload(gl: WebGL2RenderingContext, texels: Uint8Array): void {
  gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false)
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false)
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1)
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG8, SIDE, SIDE, 0, gl.RG, gl.UNSIGNED_BYTE, texels)
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST)
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE)
}

/** Each edge of a row has two points, from the south; a point has its place in pixels at zoom 0, and its cell. */
function rowsOf(gl: WebGL2RenderingContext, program: WebGLProgram, [, lat]: Square): WebGLVertexArrayObject {
  const points = Array.from({ length: SIDE + 1 }, (_, row) => {
    const down = southOf(lat + row / SIDE) - southOf(lat + 1)
    return [0, down, 0, row, eastOf(1), down, SIDE, row]
  })
  const rows = gl.createVertexArray()
  gl.bindVertexArray(rows)
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points.flat()), gl.STATIC_DRAW)
  for (const [i, name] of ['spot', 'place'].entries()) {
    const at = gl.getAttribLocation(program, name)
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 16, 8 * i)
  }
  gl.bindVertexArray(null)
  return rows
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, text] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type)
    if (!shader) throw new Error('The browser makes no shader.')
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? '')
  return program
}
