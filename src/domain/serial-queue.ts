/** Does work one after the other, in the order in which it was asked for; what fails holds up nothing. */
type InLine = <Result>(work: () => Promise<Result>) => Promise<Result>

export function openInLine(): InLine {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work)
    last = result
    return result
  }
}
