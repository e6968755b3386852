import { Type, type Static } from '@sinclair/typebox'
import type { GatewayConfig } from '../gateway-config'
import { gatewayKinds } from '../../../domain/payment'
import { gatewayFacts } from '../gateway-kinds'

export const KindView = Type.Union(gatewayKinds.map((kind) => Type.Literal(kind)))

export const CardGatewayView = Type.Object({
  name: Type.String(),
  kind: KindView,
  paid_in: Type.Union([Type.Literal('coins'), Type.Literal('usd')]),
  options: Type.Record(Type.String(), Type.String()),
  has_secret: Type.Boolean(),
})

export const gatewayShown = ({
  name,
  kind,
  options,
  secret,
}: GatewayConfig): Static<typeof CardGatewayView> => ({
  name,
  kind,
  paid_in: gatewayFacts[kind].paidIn,
  options: { ...options },
  has_secret: secret !== null,
})

/** A payment that was opened to try a gateway. */
export const GatewayTrialView = Type.Object({
  name: Type.String(),
  /** The gateway’s name of the payment. */
  reference: Type.String(),
  /** Where it would be paid. */
  page: Type.String(),
  /** Where a browser would come back to, without a path. */
  origin: Type.String(),
})
