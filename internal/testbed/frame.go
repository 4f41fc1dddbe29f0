// SPDX-License-Identifier: MPL-2.0

package testbed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// kmsgRequest names kmsg's type where a field is called Request too.
type kmsgRequest = kmsg.Request

const (
	apiVersionsKey = 18
	maxFrame       = 100 << 20 // socket.request.max.bytes
)

var errTruncated = errors.New("the frame is too short")

// readFrame reads a size and as many bytes, which it returns.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := int32(binary.BigEndian.Uint32(size[:]))
	if n < 0 || n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes", n)
	}
	frame := make([]byte, n)
	_, err := io.ReadFull(r, frame)
	return frame, err
}

func writeFrame(w io.Writer, frame []byte) error {
	_, err := w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(frame))), frame...))
	return err
}

// decodeRequest reads a request frame: api key, api version, correlation id, client id, from flexible versions on tagged fields
// (KIP-482), and the body.
func decodeRequest(frame []byte) (q Request, correlation uint32, err error) {
	if len(frame) < 10 {
		return q, 0, errTruncated
	}
	q.Key = int16(binary.BigEndian.Uint16(frame))
	q.Version = int16(binary.BigEndian.Uint16(frame[2:]))
	correlation = binary.BigEndian.Uint32(frame[4:])
	length := int(int16(binary.BigEndian.Uint16(frame[8:])))
	rest := frame[10:]
	if length > 0 {
		if len(rest) < length {
			return q, correlation, errTruncated
		}
		q.ClientID, rest = string(rest[:length]), rest[length:]
	}
	body := kmsg.RequestForKey(q.Key)
	if body == nil || q.Version > body.MaxVersion() {
		return q, correlation, fmt.Errorf("%s version %d is not known", kmsg.NameForKey(q.Key), q.Version)
	}
	body.SetVersion(q.Version)
	if body.IsFlexible() {
		if rest, err = skipTags(rest); err != nil {
			return q, correlation, err
		}
	}
	if err := body.ReadFrom(rest); err != nil {
		return q, correlation, fmt.Errorf("%s version %d: %w", kmsg.NameForKey(q.Key), q.Version, err)
	}
	q.Body = body
	return q, correlation, nil
}

// decodeResponse reads the response frame of a request.
func decodeResponse(frame []byte, request kmsg.Request) (kmsg.Response, error) {
	if len(frame) < 4 {
		return nil, errTruncated
	}
	rest := frame[4:]
	if hasTaggedHeader(request) {
		var err error
		if rest, err = skipTags(rest); err != nil {
			return nil, err
		}
	}
	response := request.ResponseKind()
	response.SetVersion(request.GetVersion())
	if err := response.ReadFrom(rest); err != nil {
		return nil, fmt.Errorf("answer to %s version %d: %w", kmsg.NameForKey(request.Key()), request.GetVersion(), err)
	}
	return response, nil
}

func encodeResponse(response kmsg.Response, request kmsg.Request, correlation uint32) []byte {
	frame := binary.BigEndian.AppendUint32(nil, correlation)
	if hasTaggedHeader(request) {
		frame = append(frame, 0)
	}
	response.SetVersion(request.GetVersion())
	return response.AppendTo(frame)
}

// hasTaggedHeader reports whether an answer's header has tagged fields. ApiVersions never has them, so that a client can read the
// answer before it knows versions (KIP-511).
func hasTaggedHeader(request kmsg.Request) bool {
	return request.IsFlexible() && request.Key() != apiVersionsKey
}

func skipTags(b []byte) ([]byte, error) {
	count, b, err := uvarint(b)
	for ; err == nil && count > 0; count-- {
		var size uint64
		if _, b, err = uvarint(b); err != nil {
			break
		}
		if size, b, err = uvarint(b); err != nil {
			break
		}
		if uint64(len(b)) < size {
			return nil, errTruncated
		}
		b = b[size:]
	}
	return b, err
}

func uvarint(b []byte) (uint64, []byte, error) {
	value, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, errTruncated
	}
	return value, b[n:], nil
}

// String names the request, without its content.
func (q Request) String() string {
	return fmt.Sprintf("%s v%d", kmsg.NameForKey(q.Key), q.Version)
}
