import { useText } from '../../../text/text.ts';

/** Nothing is fetched from anywhere: an image is its description and its address. */
export function ImageText({ alt, url }: { readonly alt: string; readonly url: string }) {
  const { transcript } = useText();
  return (
    <span className="muted">
      {transcript.image(alt)} {url}
    </span>
  );
}
