import { expect, test } from 'bun:test'
import { writeProfile } from '../../src/server/service-profile'
import type { ServiceProfile } from '../../src/business/settings/service-profile'
import type { NodeRow } from '../../src/business/data/nodes'
import { memoryStorage } from '../storage/folder'

const usual: ServiceProfile = {
  services: ['chapar', 'barid'],
  baseUrls: ['https://ai.example.com/v1', null],
  fixed: { serviceZone: 'UTC' },
  vendors: [],
  local: [],
  notices: { webhook: null, command: null },
}
const other: ServiceProfile = {
  ...usual,
  baseUrls: [null, null],
  fixed: { serviceZone: 'Asia/Tehran', addressRequestsPerMinute: '5' },
}

const clusterOf = (...silences: readonly (number | null)[]) => ({
  list: () => Promise.resolve(silences.map((silentMs) => ({ silentMs }) as NodeRow)),
})

test('a node that is started with other settings than those that serve says which', async () => {
  const storage = memoryStorage()
  const said: object[] = []
  const log = { warn: (event: string, fields = {}) => void said.push({ event, ...fields }) }
  await writeProfile({ storage, cluster: clusterOf(0, 10), log }, usual)
  await writeProfile({ storage, cluster: clusterOf(0, 10), log }, usual)
  // Nobody else serves: a restart, or one process on a folder.
  await writeProfile({ storage, cluster: clusterOf(0, null), log }, other)
  await writeProfile({ storage, cluster: null, log }, usual)
  expect(said).toEqual([])
  await writeProfile({ storage, cluster: clusterOf(0, 10), log }, other)
  expect(said).toEqual([
    {
      event: 'other nodes were started with other settings',
      settings: 'CHAPAR_URL CHAPAR_SERVICE_ZONE CHAPAR_ADDRESS_RPM',
    },
  ])
  expect(await storage.service.read()).toEqual(other)
})
