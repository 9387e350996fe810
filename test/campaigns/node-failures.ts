/** Ways in which the machine of a primary fails. */
import { kill, type Node } from './patroni.js'

export type Failure = {
  name: string
  title: string
  begin: (node: Node) => void
  repair: (node: Node) => void
}

const FAILURES: readonly Failure[] = [
  {
    name: 'kill',
    title: 'the machine of the primary dies',
    begin: (node) => {
      node.patroni().kill('SIGKILL')
      for (const pid of node.postgresPids()) kill(pid, 'SIGKILL')
    },
    repair: (node) => node.startPatroni(),
  },
  {
    name: 'hang',
    title: 'PostgreSQL hangs, and Patroni beside it works',
    ...frozen((node) => node.postgresPids()),
  },
  {
    name: 'freeze',
    title: 'the whole machine of the primary hangs',
    ...frozen((node) => [node.patroni().pid ?? 0, ...node.postgresPids()]),
  },
  {
    name: 'cut',
    title: 'the primary is cut off from all others',
    begin: (node) => node.cut(),
    repair: (node) => node.restore(),
  },
  {
    name: 'split',
    title: 'Patroni dies alone, and the old primary goes on beside the new one',
    begin: (node) => void node.patroni().kill('SIGKILL'),
    repair: (node) => node.startPatroni(),
  },
]

function frozen(pidsOf: (node: Node) => number[]): Pick<Failure, 'begin' | 'repair'> {
  const pids: number[] = []
  return {
    begin: (node) => {
      pids.splice(0, Infinity, ...pidsOf(node))
      for (const pid of pids) kill(pid, 'SIGSTOP')
    },
    repair: () => {
      for (const pid of pids) kill(pid, 'SIGCONT')
    },
  }
}

/** Returns the failures of a list of names, such as "kill,cut". */
export function failuresOf(names = FAILURES.map(({ name }) => name).join()): Failure[] {
  return names.split(',').map((name) => {
    const found = FAILURES.find((failure) => failure.name === name)
    if (!found) throw new Error(`No failure is named ${name}.`)
    return found
  })
}
