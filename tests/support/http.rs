//! A small HTTP/1.1 server on loopback, enough for a client to believe that its
//! model is there. No routing and no TLS; a handler answers every request.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// What a client asked for.
pub(crate) struct Request {
    pub method: String,
    /// With its query.
    pub path: String,
    pub body: Vec<u8>,
}

/// What it is answered, always with status 200.
pub(crate) struct Response {
    pub content_type: &'static str,
    pub body: String,
}

impl Response {
    pub(crate) fn json(body: impl Into<String>) -> Self {
        let body = body.into();
        Self { content_type: "application/json", body }
    }

    pub(crate) fn events(body: String) -> Self {
        Self { content_type: "text/event-stream", body }
    }
}

/// A running server; dropping it closes every connection.
pub(crate) struct Server {
    port: u16,
    open: Arc<Mutex<Connections>>,
    accepting: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Connections {
    closing: bool,
    streams: Vec<TcpStream>,
}

impl Server {
    /// Listens on a free port and calls `handle` for each request, each connection
    /// on a thread of its own: a client may ask for something else meanwhile.
    pub(crate) fn start(
        handle: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let open = Arc::new(Mutex::new(Connections::default()));
        let (handle, shared) = (Arc::new(handle), Arc::clone(&open));
        let accepting = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut connections = lock(&shared);
                if connections.closing {
                    return;
                }
                if let Ok(copy) = stream.try_clone() {
                    connections.streams.push(copy);
                }
                let handle = Arc::clone(&handle);
                // An error here is a client that went away, which clients do.
                thread::spawn(move || serve(&stream, &*handle).ok());
            }
        });
        Ok(Self { port, open, accepting: Some(accepting) })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut connections = lock(&self.open);
        connections.closing = true;
        for stream in connections.streams.drain(..) {
            stream.shutdown(Shutdown::Both).ok();
        }
        drop(connections);
        // Wakes the thread that waits for the next connection.
        TcpStream::connect(("127.0.0.1", self.port)).ok();
        if let Some(thread) = self.accepting.take() {
            thread.join().ok();
        }
    }
}

fn lock(open: &Mutex<Connections>) -> std::sync::MutexGuard<'_, Connections> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(stream: &TcpStream, handle: &dyn Fn(&Request) -> Response) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader, stream)? {
        let Response { content_type, body } = handle(&request);
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        let mut writer = stream;
        writer.write_all(head.as_bytes())?;
        if request.method != "HEAD" {
            writer.write_all(body.as_bytes())?;
        }
    }
    Ok(())
}

/// Reads one request; `None` when the client has closed the connection.
fn read_request(reader: &mut impl BufRead, mut writer: &TcpStream) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().map_err(io::Error::other)?,
            "transfer-encoding" => chunked = true,
            "expect" => writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        read_chunks(reader, &mut body)?;
    } else {
        body.resize(length, 0);
        reader.read_exact(&mut body)?;
    }
    Ok(Some(Request { method, path, body }))
}

fn read_chunks(reader: &mut impl BufRead, body: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
        reader.take(size as u64).read_to_end(body)?;
        reader.read_line(&mut String::new())?;
        if size == 0 {
            return Ok(());
        }
    }
}
