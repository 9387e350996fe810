/** A fault of a file names its line, so that the owner of the file can correct it. */
export class FileFault extends Error {
  override name = 'FileFault'
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}
