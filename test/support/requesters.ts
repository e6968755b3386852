import type { RemoteRequester, Requester } from '../../src/business/operators/requester'
import type { OperatorRole } from '../../src/domain/fields/operator-fields'

/** Somebody who types on the machine itself. */
export const atMachine: Requester = { from: 'machine', actor: 'command:test', role: 'owner' }

/** An operator elsewhere. */
export const remoteOperator = (role: OperatorRole, name = 'test'): RemoteRequester => ({
  from: 'remote',
  actor: `operator:${name}`,
  grantor: `operator:${name}`,
  role,
  address: '192.0.2.7',
})
