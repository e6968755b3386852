import { Badge, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useNumbers } from '../../numbers'
import type { Result } from '../operate'
import { AccountState } from './account-state'

export type ListedAccount = Result<'GET /accounts'>['data'][number]

interface AccountRowProps {
  readonly account: ListedAccount
  /** In a list of accounts of one group it goes without saying. */
  readonly showsGroup?: boolean
}

/** An account in a list, as a link to its page. */
export function AccountRow({ account, showsGroup = true }: AccountRowProps) {
  const { usd, digits, date } = useNumbers()
  const { id, name, group_name: group, balance_usd: balance, created } = account
  return (
    <Link href={`/operator/accounts/${id}`} className="list-link">
      <div className="account-row">
        <Text size="sm" className="soft number wide">
          {digits(String(id))}
        </Text>
        <Text size="sm" fw={600} truncate="end">
          <bdi>{name}</bdi>
          {showsGroup && group !== null && (
            <Badge variant="light" color="gray" tt="none" ms="xs">
              <bdi>{group}</bdi>
            </Badge>
          )}
        </Text>
        <Text size="sm" className="number" ta="end">
          {usd(balance)}
        </Text>
        <Text size="sm" className="soft wide">
          {date(created.slice(0, 10))}
        </Text>
        <AccountState account={account} />
      </div>
    </Link>
  )
}
