/** A script for the browser that tells whether a page can be read. */

/** Luminance and contrast as WCAG 2 computes them, of colours as getComputedStyle gives them. */
const colours = `
  // A mixed colour is computed as color(srgb ...), with parts from 0 to 1.
  const parts = (colour) => {
    const [r, g, b, alpha = 1] = colour.match(/[\\d.]+/g).map(Number)
    return [...[r, g, b].map((part) => (colour.startsWith('color(') ? part * 255 : part)), alpha]
  }
  const over = ([r, g, b, alpha], under) => [r, g, b].map((part, i) => part * alpha + under[i] * (1 - alpha)).concat(1)
  const linear = (part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  // Each element is computed once: most texts of a page share their ancestors.
  const ofEach = (compute, ofNothing) => {
    const known = new Map([[null, ofNothing]])
    const valueOf = (element) => {
      if (!known.has(element)) known.set(element, compute(getComputedStyle(element), valueOf(element.parentElement)))
      return known.get(element)
    }
    return valueOf
  }
  const backgroundOf = ofEach((style, under) => over(parts(style.backgroundColor), under), [255, 255, 255, 1])
  const opacityOf = ofEach((style, above) => Number(style.opacity) * above, 1)`

/** The texts that are seen at a contrast under 4.5, which WCAG asks for, with their contrast. */
export const unreadable = `(() => {
  ${colours}
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent.trim()
    const element = texts.currentNode.parentElement
    if (text === '' || !element.checkVisibility() || ['SCRIPT', 'OPTION'].includes(element.tagName)) continue
    const under = backgroundOf(element)
    const [r, g, b, alpha] = parts(getComputedStyle(element).color)
    const seen = luminance(over([r, g, b, alpha * opacityOf(element)], under))
    const [high, low] = [seen, luminance(under)].sort((one, other) => other - one)
    const contrast = (high + 0.05) / (low + 0.05)
    if (contrast < 4.5) found.push(contrast.toFixed(2) + ' ' + text.slice(0, 30))
  }
  return found
})()`
