import type { GatewayKind } from '../../domain/payment'

/** One gateway as the operator set it up. */
export interface GatewayConfig {
  readonly name: string
  readonly kind: GatewayKind
  /** None of them secret: the names are those of the kind. */
  readonly options: Readonly<Record<string, string>>
  /** What proves us there; lines, where a kind has several. Null where the folder's key is another's. */
  readonly secret: string | null
}

/** Gateways, in the order in which they are offered. */
export interface GatewayConfigStore {
  list(): Promise<readonly GatewayConfig[]>
  /** Replaces the one of that name in its place; a new one comes last. */
  save(gateway: GatewayConfig): Promise<void>
  /** @returns whether there was one */
  remove(name: string): Promise<boolean>
}
