import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EndingSpool } from '../../ledger/ending-spool'
import type { NodeId } from '../../ledger/leased/exchange'
import { nodesIn } from '../files/data-folder'
import { keepDamagedSpool, openEndingFile, type SpoolDamage } from '../files/ending-spool'
import type { LeftSpool } from './take-over'

/** Spools of the processes of this machine, beside what else its data folder holds. */
interface NodeSpools {
  /** What processes of before left; they are gone, since the folder is ours alone. */
  left(): readonly LeftSpool[]
  open(node: NodeId): readonly [EndingSpool, EndingSpool]
  remove(nodes: readonly NodeId[]): void
}

/**
 * @param database its identity: what belongs to another one is left alone
 * @param onDamaged told of a spool of which a part could not be read
 */
export function openNodeSpools(
  folder: string,
  database: string,
  onDamaged: (damage: SpoolDamage) => void,
): NodeSpools {
  const nodes = nodesIn(folder)
  const filesOf = (node: NodeId) =>
    [join(nodes, String(node), 'a'), join(nodes, String(node), 'b')] as const
  const leftBy = (node: NodeId): LeftSpool => {
    const files = filesOf(node)
    for (const file of files) {
      const damage = keepDamagedSpool(file, folder, database)
      if (damage !== null) onDamaged(damage)
    }
    return { node, records: files.flatMap((file) => openEndingFile(file, database).records()) }
  }
  return {
    left() {
      if (!existsSync(nodes)) return []
      const ids = readdirSync(nodes).map(Number).filter(Number.isSafeInteger)
      return ids.map(leftBy)
    },
    open(node) {
      const [first, second] = filesOf(node)
      for (const each of [first, second]) mkdirSync(each, { recursive: true, mode: 0o700 })
      return [openEndingFile(first, database), openEndingFile(second, database)]
    },
    remove(ids) {
      for (const id of ids) rmSync(join(nodes, String(id)), { recursive: true, force: true })
    },
  }
}
