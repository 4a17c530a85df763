import type { SessionId } from '../base/id.ts';

/** The long texts that logs keep beside them (`Text.blob`), for whoever wants to see more than the tail. */
export interface KeptTexts {
  /** Undefined: this Session keeps no such text. Reads no more of it than the page. */
  page(id: SessionId, blob: string, wanted: WantedPage, signal: AbortSignal): Promise<TextPage | undefined>;
}

/** In bytes of UTF-8. */
export interface WantedPage {
  readonly from: number;
  readonly bytes: number;
}

/**
 * Begins with the character that holds the byte asked for and ends before the one that does not fit whole, but always has
 * one: pages that follow one another by `next` are the text, without a gap and without an end that is never reached.
 */
export interface TextPage {
  readonly text: string;
  readonly from: number;
  /** Absent at the end. */
  readonly next?: number;
  /** Of the whole text. */
  readonly bytes: number;
}
