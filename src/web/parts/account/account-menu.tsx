import { Button, Menu } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useLocation } from 'wouter'
import { api, ask } from '../../client'
import { changeAccount, type Me } from '../../me'
import { useNumbers } from '../../numbers'

/** Menu that switches between a person's accounts; nothing for whoever has one. */
export function AccountMenu({ me }: { readonly me: Me }) {
  const t = useTranslations('accounts')
  const { digits } = useNumbers()
  const [, go] = useLocation()
  const choose = useMutation({
    mutationFn: (account: number) => ask(api.session.put({ account })),
    async onSuccess() {
      // What the page shows may not be there in the other account.
      go('/')
      await changeAccount()
    },
  })
  if (me.accounts.length < 2) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-md"
          maw={180}
          rightSection={<IconChevronDown size={14} />}
          loading={choose.isPending}
          aria-label={`${t('choose')}: ${digits(me.account.name)}`}
        >
          <bdi className="clipped">{digits(me.account.name)}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('choose')}</Menu.Label>
        {me.accounts.map(({ id, name }) => (
          <Menu.Item
            key={id}
            rightSection={id === me.account.id ? <IconCheck size={14} /> : null}
            onClick={() => choose.mutate(id)}
          >
            <bdi>{digits(name)}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
