//! Errors as they are shown: the message, the place in the source, and what to try.
