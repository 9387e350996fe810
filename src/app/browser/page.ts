/** Types the parts of a browser that the scripts use: the project is compiled without its types. */

type Listener = (event: PageEvent) => void

/** An element has those of its kind. */
export type PageElement = {
  hidden: boolean
  textContent: string | null
  innerHTML: string
  className: string
  href: string
  value: string
  name: string
  action: string
  open: boolean
  checked: boolean
  scrollTop: number
  readonly dataset: Record<string, string | undefined>
  readonly style: Record<string, string>
  readonly classList: { toggle: (name: string, isOn: boolean) => void }
  setAttribute: (name: string, value: string) => void
  querySelector: (selector: string) => PageElement | null
  querySelectorAll: (selector: string) => Iterable<PageElement>
  closest: (selector: string) => PageElement | null
  addEventListener: (type: string, listener: Listener, options?: { capture?: boolean; once?: boolean }) => void
  append: (child: PageElement) => void
  remove: () => void
  replaceWith: (other: PageElement) => void
  replaceChildren: (...children: PageElement[]) => void
  matches: (selector: string) => boolean
  focus: () => void
  submit: () => void
  close: () => void
  showModal: () => void
  getBoundingClientRect: () => { left: number; top: number; width: number; height: number }
  setPointerCapture: (pointer: number) => void
}

export type PageEvent = {
  target: PageElement
  key: string
  button: number
  clientX: number
  clientY: number
  pointerId: number
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  defaultPrevented: boolean
  preventDefault: () => void
  stopPropagation: () => void
}

export type PageDocument = {
  body: PageElement
  getElementById: (id: string) => PageElement | null
  querySelector: (selector: string) => PageElement | null
  querySelectorAll: (selector: string) => Iterable<PageElement>
  createElement: (name: string) => PageElement
  addEventListener: (type: string, listener: Listener) => void
}
