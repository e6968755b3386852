import { IntlProvider, useLocale, useMessages } from 'use-intl'
import { Route, Switch } from 'wouter'
import { Failed } from '../parts/failed'
import { lazyPage } from '../parts/lazy-page'
import { waiting } from '../parts/waiting'
import { preferences } from '../preferences'
// A file of its own: customers' first screen is without it.
import sheet from './operator.css' with { type: 'file' }
import { setOperator, useOperator, type OperatorMe } from './me'
import { operatorPages } from './pages'
import { KnownPaths } from './parts/known-paths'
import { OperatorShell } from './parts/operator-shell'

const OperatorSetup = lazyPage(
  () => import('./pages/setup').then((page) => page.OperatorSetup),
  waiting,
)
const OperatorSignIn = lazyPage(
  () => import('./pages/operator-sign-in').then((page) => page.OperatorSignIn),
  waiting,
)

const texts =
  preferences().language === 'fa'
    ? (await import('./texts/fa-operator')).operatorFa
    : (await import('./texts/en-operator')).operatorEn

/** The operator's console: pages of its own, texts of its own, a session of its own. */
export function Operators() {
  const locale = useLocale()
  const shared = useMessages()
  const messages = {
    ...shared,
    ...texts,
    errors: { ...(shared['errors'] as object), ...texts.errors },
  }
  return (
    <IntlProvider locale={locale} messages={messages}>
      <link rel="stylesheet" href={sheet} precedence="default" />
      <Switch>
        <Route path="/operator/setup">
          <OperatorSetup />
        </Route>
        <Route>
          <Inside />
        </Route>
      </Switch>
    </IntlProvider>
  )
}

function Inside() {
  const me = useOperator()
  if (me.isError)
    return (
      <main className="entrance">
        <Failed error={me.error} onRetry={() => void me.refetch()} />
      </main>
    )
  if (me.data === undefined) return waiting
  if (me.data === null) return <OperatorSignIn onIn={setOperator} />
  return <SignedIn me={me.data} />
}

const paths = operatorPages.map(({ path }) => path)

const SignedIn = ({ me }: { readonly me: OperatorMe }) => (
  <OperatorShell me={me}>
    <KnownPaths value={paths}>
      <Switch>
        {operatorPages.map(({ path, Page }) => (
          <Route key={path} path={path}>
            <Page />
          </Route>
        ))}
      </Switch>
    </KnownPaths>
  </OperatorShell>
)
