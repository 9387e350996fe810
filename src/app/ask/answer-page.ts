/** The page that shows the answer: Ask, or the map. */
export type AnswerPage = {
  /** Returns the address that asks another question about the same place. */
  linkTo: (question: string) => string
  /** The page has a map: the answer needs no link to it. */
  isBesideMap: boolean
  /** Returns the address of the map in the colours of an attribute, with the same question. */
  colouredBy: (colour: { dataset: string; attribute: string }, question: string) => string
}
