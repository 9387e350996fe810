/** A mistake in one field: a form shows it beside the field, and the command line writes the option before it. */
export class FieldFault extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}
