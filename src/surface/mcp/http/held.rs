//! The body of an answer that holds something until it was sent, or nobody takes it any more.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes, Frame, SizeHint};

pub(super) struct Held<T> {
    body: BoxBody<Bytes, Infallible>,
    _held: T,
}

impl<T> Held<T> {
    pub(super) fn new(body: BoxBody<Bytes, Infallible>, held: T) -> Self {
        Self { body, _held: held }
    }
}

impl<T: Unpin> Body for Held<T> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
