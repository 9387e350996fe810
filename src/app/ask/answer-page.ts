/** The page that shows the answer: Ask, or the map. */
export type AnswerPage = {
  /** Returns the address that asks another question about the same place. */
  linkTo: (question: string) => string
  /** The page has a map: the answer needs no link to it. */
  isBesideMap: boolean
}
