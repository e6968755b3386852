import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EndingSpool } from '../ending-spool'
import type { NodeId } from '../../domain/ids'
import { nodesIn } from '../../storage/files/data-folder'
import { keepDamagedSpool, openEndingFile, type SpoolDamage } from '../store/spool-file'
import { lockFile } from '../../storage/files/folder-lock'
import type { LeftSpool } from './replay-spools'

/** Spools of the node processes of this machine, which share a data folder. */
interface NodeSpools {
  /** Spools of processes that are gone, claimed for this one until they are removed. */
  left(): readonly LeftSpool[]
  /** Makes the spools of a node, which are its own until it is closed. */
  open(node: NodeId): readonly [EndingSpool, EndingSpool]
  /** Removes spools that `left` gave. */
  remove(): void
  /** Gives up what is claimed; the spools stay. */
  close(): void
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
  const claimed = new Map<NodeId, () => void>()
  let own: (() => void) | null = null
  const lockOf = (node: NodeId) => join(nodes, `${node}.lock`)
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
  const release = (unlock: () => void, node: NodeId): void => {
    unlock()
    rmSync(lockOf(node), { force: true })
  }
  return {
    left() {
      if (!existsSync(nodes)) return []
      for (const node of readdirSync(nodes).map(Number).filter(Number.isSafeInteger)) {
        // A process that lives holds the lock of its spools, from before they are there.
        const unlock = lockFile(lockOf(node))
        if (unlock !== null) claimed.set(node, unlock)
      }
      return [...claimed.keys()].map(leftBy)
    },
    open(node) {
      mkdirSync(nodes, { recursive: true, mode: 0o700 })
      own = lockFile(lockOf(node))
      if (own === null) throw new Error(`spools of node ${node} are another process's`)
      const [first, second] = filesOf(node)
      for (const each of [first, second]) mkdirSync(each, { recursive: true, mode: 0o700 })
      return [openEndingFile(first, database), openEndingFile(second, database)]
    },
    remove() {
      for (const [node, unlock] of claimed) {
        rmSync(join(nodes, String(node)), { recursive: true, force: true })
        release(unlock, node)
      }
      claimed.clear()
    },
    close() {
      for (const unlock of claimed.values()) unlock()
      claimed.clear()
      own?.()
      own = null
    },
  }
}
