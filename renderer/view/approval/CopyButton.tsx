import { Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../text/text.ts';
import { copyText } from './copyText.ts';

export interface CopyButtonProps {
  /** Exactly this is copied, whatever is drawn in its place. */
  readonly text: string;
  /** What is copied, for those who hear the button. */
  readonly what: string;
}

const SAID_MS = 2_000;

export function CopyButton({ text, what }: CopyButtonProps) {
  const { common } = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => setCopied(await copyText(text));
  return (
    <button type="button" className="button plain" onClick={() => void copy()}>
      <Copy size={14} aria-hidden />
      {copied ? common.copied : common.copy} <span className="heard">{what}</span>
    </button>
  );
}
