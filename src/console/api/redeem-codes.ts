import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { showUsd } from '../../domain/money'
import { addressBlocks, addressBucket } from '../../gateway/net/address'
import { guessing } from '../guessing'
import type { ConsoleParts } from './parts'

const Typed = Type.Object({ code: Type.String({ minLength: 1, maxLength: 80 }) })

/** `POST /app/api/codes` puts what a redeem code is worth on the account. */
export const redeemCodesApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/codes', normalize: false }).post(
    '/',
    async ({ request, body }) => {
      const { account, person } = await parts.customer(request)
      const address = parts.addressOf(request)
      const who = { account, person, address: addressBucket(address) }
      const { amount, balance } = await guessing(parts.limits, addressBlocks(address), (guess) =>
        parts.redeem(guess, who, body.code),
      )
      return { usd: showUsd(amount), balance_usd: showUsd(balance) }
    },
    { body: Typed },
  )
