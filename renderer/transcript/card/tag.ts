/** A short word on a card, with the colour of what it says. */
export interface Tag {
  readonly key: string;
  readonly tone: 'plain' | 'run' | 'wait' | 'danger';
  readonly text: string;
  /** The whole of what `text` abbreviates. */
  readonly title?: string;
}
