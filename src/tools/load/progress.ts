/** Tells whoever started a build or an import which step begins. */
export type Progress = (step: string) => void
