/** Brushes the histogram of the legend: with a mouse or a finger on its bars, or with its sliders and fields. */
import { typedNumber } from '../map/classes.js'
import { element } from './map-browser.js'

type OnBrush = {
  /** The map dims what lies outside. */
  draw: () => void
  /** The page asks what lies inside. */
  done: (brush: { from: string; to: string }) => void
}

export function openBrush({ draw, done }: OnBrush): void {
  let drag: { form: HTMLFormElement; start: number } | undefined
  const brush = (form: HTMLFormElement, one: number, other: number) => {
    show(form, Math.min(one, other), Math.max(one, other))
    draw()
  }
  const finish = (form: HTMLFormElement) => {
    const { from, to } = numbersOf(form)
    done({ from, to })
  }
  document.addEventListener('pointerdown', (event) => {
    const form = formAt(event)
    if (!form || !(event.target as Element).closest('.histogram')) return
    drag = { form, start: barAt(form, event) }
    event.preventDefault()
    brush(form, drag.start, drag.start)
  })
  document.addEventListener('pointermove', (event) => drag && brush(drag.form, drag.start, barAt(drag.form, event)))
  document.addEventListener('pointerup', () => {
    if (drag) finish(drag.form)
    drag = undefined
  })
  document.addEventListener('input', (event) => {
    const form = formAt(event)
    const { type, dataset } = event.target as HTMLInputElement
    if (!form) return
    if (type !== 'range') return showTyped(form)
    const [from, to] = slidersOf(form).map(({ value }) => Number(value)) as [number, number]
    // One end takes the other one along.
    if (dataset['of'] === 'from') brush(form, from, Math.max(from, to))
    else brush(form, Math.min(from, to), to)
  })
  // The Enter key in a field that was changed is a change first.
  document.addEventListener('submit', (event) => formAt(event) && event.preventDefault())
  document.addEventListener('change', (event) => {
    const form = formAt(event)
    if (!form) return
    const { from, to } = numbersOf(form)
    const { name, value } = event.target as HTMLInputElement
    if (from !== '' && to !== '' && Number(from) > Number(to))
      fieldOf(form, name === 'from' ? 'to' : 'from').value = value
    finish(form)
  })
}

const formAt = ({ target }: Event): HTMLFormElement | undefined =>
  (target as Element).closest<HTMLFormElement>('#legend .brush') ?? undefined

const slidersOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>('[type=range]')]

/** A field of the form is called "dataset": it stands in place of the property. */
const barsOf = (form: HTMLFormElement, name: 'lows' | 'highs' | 'numbers'): number[] =>
  (form.getAttribute(`data-${name}`) ?? '').split(' ').map(Number)

function barAt(form: HTMLFormElement, { clientX }: PointerEvent): number {
  const { left, width } = form.querySelector('.histogram')?.getBoundingClientRect() ?? { left: 0, width: 1 }
  const last = barsOf(form, 'lows').length - 1
  return Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * (last + 1))))
}

const fieldOf = (form: HTMLFormElement, name: 'from' | 'to') => form.elements.namedItem(name) as HTMLInputElement

const numbersOf = (form: HTMLFormElement) => ({
  from: typedNumber(fieldOf(form, 'from').value),
  to: typedNumber(fieldOf(form, 'to').value),
})

/** The knobs follow what is typed. */
function showTyped(form: HTMLFormElement): void {
  const { from, to } = numbersOf(form)
  const [lows, highs] = [barsOf(form, 'lows'), barsOf(form, 'highs')]
  const end = highs.findIndex((high) => high >= Number(to))
  const start = from === '' ? 0 : lows.findLastIndex((low) => low <= Number(from))
  showBars(form, Math.max(0, start), to === '' || end < 0 ? highs.length - 1 : end)
}

function show(form: HTMLFormElement, from: number, to: number): void {
  const [lows, highs] = [barsOf(form, 'lows'), barsOf(form, 'highs')]
  fieldOf(form, 'from').value = from === 0 ? '' : String(lows[from])
  fieldOf(form, 'to').value = to === highs.length - 1 ? '' : String(highs[to])
  showBars(form, from, to)
}

function showBars(form: HTMLFormElement, from: number, to: number): void {
  const [lows, highs, numbers] = [barsOf(form, 'lows'), barsOf(form, 'highs'), barsOf(form, 'numbers')]
  for (const [i, slider] of slidersOf(form).entries()) {
    slider.value = String([from, to][i])
    slider.setAttribute('aria-valuetext', String([lows[from], highs[to]][i]))
  }
  for (const [i, bar] of [...form.querySelectorAll('.histogram path')].entries())
    bar.classList.toggle('is-out', i < from || i > to)
  const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0)
  const [inside, all] = [sum(numbers.slice(from, to + 1)), sum(numbers)]
  const status = form.querySelector('[role=status]')
  if (status) status.textContent = `${inside.toLocaleString('en')} of ${all.toLocaleString('en')} frames with a value`
  Object.assign(element('legend').dataset, numbersOf(form))
}
