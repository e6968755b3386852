import type { NodeId } from '../../domain/ids'
import type { DatabaseAddress } from '../../storage/database-address'
import { openListening, type Listening } from '../../storage/postgres/listening'
import { toldChannels, type NodeNotes, type ReportedChannel } from './node-events'

interface ListeningParts {
  readonly address: DatabaseAddress
  readonly notes: NodeNotes
}

/**
 * Hears what others change and say: a node's own messages come back to it, and are left out.
 * @param heard called with each version of the world
 */
export function listenAsNode(
  id: NodeId,
  { address, notes }: ListeningParts,
  heard: (version: number) => void,
): Listening {
  const told = (channel: ReportedChannel) => (payload: string) => {
    const [node = ''] = payload.split(' ', 1)
    if (Number(node) !== id) notes.told(channel, Number(node), payload.slice(node.length + 1))
  }
  return openListening({
    address,
    channels: {
      chapar_changed: (version) => {
        heard(Number(version))
        notes.version(Number(version))
      },
      ...Object.fromEntries(toldChannels.map((channel) => [channel, told(channel)])),
      chapar_ask: (question) => {
        const [no = '', node = '', ...name] = question.split(' ')
        if (Number(node) !== id) notes.question(name.join(' '), Number(no))
      },
    },
    onFault: (fault) => notes.fault('listen', fault),
  })
}
