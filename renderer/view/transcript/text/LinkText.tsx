import { Copy, ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { request } from '../../../api.ts';
import { useConnection } from '../../../store/connection.ts';
import { useText } from '../../../text/text.ts';
import { copyText } from '../../approval/copyText.ts';
import { Visible } from '../../approval/Visible.tsx';

interface LinkTextProps {
  readonly url: string;
  readonly children: ReactNode;
}

/** A link that the agent wrote: its address stands beside it in full, and only a secure one can be opened. */
export function LinkText({ url, children }: LinkTextProps) {
  const { common, transcript } = useText();
  const isSecure = URL.parse(url)?.protocol === 'https:';
  const isPlain = typeof children === 'string' && children === url;
  return (
    <span className="t-link-text">
      {children}{' '}
      {!isPlain && (
        <span className="t-link-url">
          ⟨<Visible text={url} />⟩
        </span>
      )}
      <button type="button" className="t-link-act" onClick={() => void copyText(url)}>
        <Copy size={12} aria-hidden />
        <span className="heard">
          {common.copy} {url}
        </span>
      </button>
      {isSecure && (
        <button type="button" className="t-link-act" onClick={() => void open(url).catch(reportError)}>
          <ExternalLink size={12} aria-hidden />
          <span className="heard">{transcript.openLink(url)}</span>
        </button>
      )}
    </span>
  );
}

/** In a browser the window opens it itself, without a way back to this one (hosts.md). */
async function open(url: string): Promise<void> {
  if (useConnection.getState().host?.host === 'browser') window.open(url, '_blank', 'noopener,noreferrer');
  else await request('host.openExternal', { url });
}
